"""Calls the functions of the package with bytes and arguments that a fuzzer chooses.

``cargo xtask python-fuzz RUNS`` runs it with atheris. ``boundary.py FILE`` repeats one input without it.

The last 64 bytes of an input choose a call and its arguments, and the bytes before them are the file.
A call may raise the errors in ``EXPECTED``. Anything else is a find: another exception, a panic of the
native part, a signal, more than 10 seconds, or more than 2 GiB.
"""

from __future__ import annotations

import contextlib
import io
import pickle
import sys
import warnings
import zlib
from pathlib import Path
from typing import Any, Callable, Dict, List, Sequence, Tuple

import numpy as np
import pyarrow as pa
from calls import EDITS, KEYWORDS, NUMBERS, Choices, any_array, any_value, label, options

import inbetween
import inbetween.arrow
from inbetween import batch
from inbetween.batch import worker
from inbetween.batch.paths import checked
from inbetween.batch.wire import receive

ROOT = Path(__file__).resolve().parents[3]
FIXTURES = ROOT / "fixtures"
TAIL = 64
MARKS = 1 << 12

EXPECTED = (inbetween.Error, ValueError, TypeError, KeyError, IndexError, OverflowError)
"""What calls may raise. ``IndexError`` is that of clips and tracks, ``OverflowError`` that of integers."""

FORMATS = [known.id for known in inbetween.formats()]
# More would take the time of many other calls, and reaches no other code.
CLIPS, TRACKS = 3, 6


def look(document: inbetween.Document) -> None:
    """Uses what a document shows."""
    for finding in document.findings:
        assert str(finding)
    repr(document), document.coordinates, document.format, document._repr_html_()
    for clip in document.clips[:CLIPS]:
        repr(clip), clip.rules, clip.blend, clip.stated_duration, clip.markers, clip.tracks.keys()
        for track in clip.tracks[:TRACKS]:
            look_at_track(track)
    if document.skeleton is not None:
        assert len(document.skeleton.bones) == len(document.skeleton)
        inbetween.Skeleton(document.skeleton.bones)


def look_at_track(track: inbetween.Track) -> None:
    repr(track), track.label, track.interpolation, track.euler_order, track.interval
    assert len(track.times) == len(track.values) == len(track)
    for array in (track.times, track.values, track.left, track.right):
        assert array is None or len(array) == len(track)
    assert not track.times.flags.writeable and not track.values.flags.writeable
    if track.values.dtype == bool:
        # A `bool` of Rust has no others.
        assert set(track.values.tobytes()) <= {0, 1}


def read(data: bytes, choices: Choices) -> inbetween.Document:
    """Reads a file with the arguments that most files take."""
    known = choices.pick([None, None, None, *FORMATS])
    return inbetween.read(data, format=known)


def call_read(data: bytes, choices: Choices) -> None:
    """Reads a file with any arguments."""
    source = choices.pick([bytes, bytearray, memoryview, io.BytesIO, lambda it: np.frombuffer(it, "u1")])
    limits = {name: choices.pick([0, 1, 100, 10_000]) for name in ("max_input", "max_decoded")}
    own = {name: value for name, value in limits.items() if choices.chance(8)}
    neighbors = choices.pick([None, lambda path: data, lambda path: path, lambda path: b""])
    known = choices.pick([None, None, *FORMATS])
    look(inbetween.read(source(data), format=known, neighbors=neighbors, **own, **options(choices, 4)))


def call_check(data: bytes, choices: Choices) -> None:
    profile = choices.pick([None, "blender", "resonite", "x4", "cod", "none"])
    companion = choices.pick([None, None, None, data, b"<components/>"])
    known = choices.pick([None, None, *FORMATS])
    for finding in inbetween.check(
        data, format=known, profile=profile, companion=companion, **options(choices, 8)
    ):
        assert str(finding) and finding.code
        assert inbetween.explain(finding.code)


def call_convert(data: bytes, choices: Choices) -> None:
    to = choices.pick(FORMATS)
    clip = choices.pick([None, None, None, "#1", "#2", "#0", "", "Walk"])
    converted = inbetween.convert(data, to, clip=clip, **writing(choices))
    assert converted.to_format == to and isinstance(converted.bytes, bytes)
    assert len(converted.losses) <= len(converted.findings)
    # What was written is read, and is found to be of its format.
    again = inbetween.read(converted.bytes, format=to)
    assert again.format == to


def writing(choices: Choices) -> Dict[str, Any]:
    """Returns arguments of writing."""
    own: Dict[str, Any] = {}
    if choices.chance(4):
        own["axes"] = choices.pick(["keep", "auto", "x,z,-y", "-x,y,z", "x,x,x", "", "y"])
    if choices.chance(4):
        own["unit"] = choices.pick(["cm", "auto", "m", "keep", *NUMBERS])
    if choices.chance(4):
        own["profile"] = choices.pick(["blender", "resonite", "x4", "cod"])
    if choices.chance(4):
        own.update(strict=True, allow=choices.pick([[], ["*"], ["convert/*"], ["["], ["no-such"]]))
    return {**own, **options(choices, 4)}


def call_edits(data: bytes, choices: Choices) -> None:
    """Edits a document up to four times, and writes the result."""
    document = read(data, choices)
    for _ in range(1 + choices.below(4)):
        edit = choices.pick(EDITS)
        document = edit(document, choices)
    look(document)
    document.write(choices.pick(FORMATS))


def call_sample(data: bytes, choices: Choices) -> None:
    document = read(data, choices)
    times = any_array(choices, data) if choices.chance(3) else [choices.number() for _ in range(5)]
    for clip in document.clips[:CLIPS]:
        count = np.asarray(times).size
        for values in clip.sample(times).values():
            assert len(values) == count
        for track in clip.tracks[:TRACKS]:
            if len(track):
                assert len(track.sample(times)) == count


def call_plot(data: bytes, choices: Choices) -> None:
    document = read(data, choices)
    clip = document.clips[choices.below(2)]
    what = choices.pick([document, clip, clip.tracks[choices.below(3)]])
    before = choices.pick([None, document])
    own = {name: choices.number() for name in ("start", "end") if choices.chance(3)}
    tracks = label(document, choices) if choices.chance(3) else None
    picture = inbetween.plot(
        what,
        before=before,
        tracks=tracks,
        title=choices.text(data),
        degrees=choices.chance(2),
        page=choices.pick([1, 0, 2, 1 << 40]),
        **own,
    )
    assert picture.startswith("<svg")


def call_compare(data: bytes, choices: Choices) -> None:
    """Compares parts of a document with each other, and copies it through pickled findings."""
    document = read(data, choices)
    other = choices.pick([document, document.to_f64(), 1, None])
    _ = document == other, document.clips[0] == other, document.clips[0].tracks[0] == other
    assert pickle.loads(pickle.dumps(document.findings)) == document.findings
    _ = choices.text(data) in document.clips, choices.text(data) in document.clips[0].tracks
    document.clips[0].tracks[choices.text(data)]


def call_track(data: bytes, choices: Choices) -> None:
    """Makes a track of any arrays, and a clip and a document of it."""
    own: Dict[str, Any] = {}
    rows = choices.below(6)
    for name in ("left", "right"):
        if choices.chance(4):
            own[name] = any_array(choices, data, rows)
    for name, values in KEYWORDS.items():
        if choices.chance(4):
            own[name] = choices.pick(values)
    node = choices.pick(["hips", None, "", "a/b", choices.text(data)])
    named = choices.pick(["Position", "Rotation", "Scale", "RotationEuler", "Weight:a", "other", "x", None])
    times = any_array(choices, data, rows) if choices.chance(4) else np.arange(rows) / 4
    track = inbetween.Track(node, named, times, any_array(choices, data, rows), **own)
    look_at_track(track)
    clip = inbetween.Clip(
        [track],
        name=choices.pick([None, "", choices.text(data)]),
        duration=choices.pick([None, choices.number()]),
        frame_rate=choices.pick([None, choices.number()]),
        markers=[inbetween.Marker(choices.number(), choices.text(data))],
        blend=choices.pick(["absolute", "additive", "relative", "delta"]),
        rules=choices.pick([None, *FORMATS]),
    )
    document = inbetween.Document([clip] * choices.below(3), coordinates=coordinates(choices))
    look(document)
    if choices.chance(2):
        round_trip(document)
    document.write(choices.pick(FORMATS))


def coordinates(choices: Choices) -> Any:
    hand, up = choices.pick(["left", "right", None, "up"]), choices.pick(["y", "z", None, "w"])
    return choices.pick([None, None, inbetween.Coordinates(hand, up, choices.number())])


def call_from_arrays(data: bytes, choices: Choices) -> None:
    properties = ["Position", "Rotation", "Scale.x", "Weight:a", "RotationEuler", "", "/"]
    tracks = {
        f"{choices.pick(['a', 'b', choices.text(data)])}/{choices.pick(properties)}": (
            any_array(choices, data, rows) if choices.chance(4) else np.arange(rows),
            any_array(choices, data, rows),
        )
        for rows in (choices.below(6) for _ in range(choices.below(3)))
    }
    document = inbetween.Document.from_arrays(
        tracks,
        frame_rate=choices.pick([None, choices.number()]),
        duration=choices.pick([None, choices.number()]),
        interpolation=choices.pick(["linear", "hold", "bezier", "none"]),
        coordinates=coordinates(choices),
    )
    document.write(choices.pick(FORMATS))


def call_skeleton(data: bytes, choices: Choices) -> None:
    """Gives a document bones, which may be invalid."""
    names = ["a", "b", "c", "", choices.text(data), None]
    bones = [
        inbetween.Bone(
            choices.pick(names),
            choices.pick(names),
            choices.pick([None, (choices.number(),) * 3, (1, 2), "abc"]),
            choices.pick([None, (choices.number(),) * 4, (0, 0, 0, 0)]),
            choices.pick([None, (choices.number(),) * 3]),
        )
        for _ in range(choices.below(5))
    ]
    skeleton = inbetween.Skeleton(bones)
    document = read(data, choices).give_skeleton(skeleton)
    for name in ("fill", "resolve", "drop_constant"):
        if choices.chance(2):
            document = getattr(document, name)()
    look(document)
    document.write(choices.pick(FORMATS))


def call_arrow(data: bytes, choices: Choices) -> None:
    """Makes tables of a file and a document of them; some tables have other rows than those of it."""
    found = inbetween.arrow.tables({"a": data, "b": b""})
    assert found.files.num_rows == 2
    rows = found.tracks.num_rows
    if choices.chance(2):
        round_trip(read(data, choices))
        return
    start, names = choices.below(rows + 1), found.tracks.column_names
    table = found.tracks.slice(start, choices.below(rows + 1))
    name = choices.pick(names)
    change = choices.pick([nulled, dropped, as_text, doubled])
    inbetween.arrow.from_tracks(change(table, name))


def round_trip(document: inbetween.Document) -> None:
    """Asserts that the keys of a document survive a table, bit for bit."""
    table = inbetween.arrow.tracks(document, "a")
    again = inbetween.arrow.from_tracks(table)
    before = [track for clip in document.clips for track in clip.tracks]
    after = [track for clip in again.clips for track in clip.tracks]
    assert len(before) == len(after)
    for one, other in zip(before, after):
        assert (one.label, one.kind, one.shape) == (other.label, other.kind, other.shape)
        for name in ("times", "values", "left", "right"):
            assert same_bits(getattr(one, name), getattr(other, name)), (one.label, name)


def same_bits(one: Any, other: Any) -> bool:
    """Returns whether two columns are the same, but for the bits of NaN."""
    if one is None or other is None or one.dtype == object:
        return one is other or one.tolist() == other.tolist()
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    is_nan = np.isnan(one)
    return bool((is_nan == np.isnan(other)).all()) and one[~is_nan].tobytes() == other[~is_nan].tobytes()


def nulled(table: pa.Table, name: str) -> pa.Table:
    index = table.column_names.index(name)
    return table.set_column(index, name, pa.nulls(table.num_rows, table[name].type))


def dropped(table: pa.Table, name: str) -> pa.Table:
    return table.drop_columns([name])


def as_text(table: pa.Table, name: str) -> pa.Table:
    return table.set_column(table.column_names.index(name), name, pa.array(["x"] * table.num_rows))


def doubled(table: pa.Table, name: str) -> pa.Table:
    return pa.concat_tables([table, table])


def call_names(data: bytes, choices: Choices) -> None:
    text = choices.text(data)
    inbetween.format_of_extension(text)
    choices.pick([checked, inbetween.explain, lambda it: inbetween.detect(data, name=it)])(text)


def call_worker(data: bytes, choices: Choices) -> None:
    """Does what a worker process of a batch does, without the process."""
    to = choices.pick(FORMATS)
    if choices.chance(4):
        try:
            receive(io.BytesIO(data), 1 << 20)
        except EOFError:
            return
    batch.Options(to=to, format_options=options(choices, 2)).check()
    worker.convert(data, choices.text(data), {"to": to}, lambda path: data)


def call_wrong_types(data: bytes, choices: Choices) -> None:
    """Calls a function with values of any types."""
    document = inbetween.Document.from_arrays({"a/Position": ([0.0], [[0.0] * 3])})
    functions: List[Callable[..., Any]] = [
        inbetween.read,
        inbetween.check,
        inbetween.detect,
        inbetween.convert,
        inbetween.plot,
        inbetween.explain,
        inbetween.format_of_extension,
        inbetween.Track,
        inbetween.Clip,
        inbetween.Document,
        inbetween.Document.from_arrays,
        inbetween.Skeleton,
        inbetween.Skeleton.first_frame,
        document.clips.__getitem__,
        document.clips[0].sample,
        document.clips[0].tracks.__getitem__,
        inbetween.arrow.from_tracks,
    ]
    methods = [getattr(document, name) for name in dir(document) if name[0] != "_" and name != "save"]
    function = choices.pick([*functions, *filter(callable, methods)])
    names = ["format", "unit", "axes", "strict", "allow", "max_input", "name", "kind", "clips", "what", "fps"]
    keywords = {choices.pick(names): any_value(choices, data) for _ in range(choices.below(3))}
    arguments = [any_value(choices, data) for _ in range(choices.below(4))]
    if choices.chance(2):
        # Most functions begin with a file, and check nothing else without one.
        arguments[:1] = [choices.pick([data, document])]
    # Of a file with that name, and of an object that lacks what a bone, marker or table has.
    with contextlib.suppress(OSError, AttributeError):
        function(*arguments, **keywords)


CALLS: Sequence[Callable[[bytes, Choices], None]] = (
    call_read,
    call_check,
    call_convert,
    call_convert,
    call_edits,
    call_edits,
    call_sample,
    call_plot,
    call_compare,
    call_track,
    call_track,
    call_from_arrays,
    call_skeleton,
    call_arrow,
    call_names,
    call_worker,
    call_wrong_types,
)


def run(data: bytes) -> str:
    """Makes the call that an input describes, and returns what became of it."""
    content, choices = data[:-TAIL], Choices(data[-TAIL:])
    call = choices.pick(CALLS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call(content, choices)
        except inbetween.Error as error:
            assert error.code and str(error)
            again = pickle.loads(pickle.dumps(error))
            assert (again.code, again.findings) == (error.code, error.findings)
            return f"{call.__name__} {error.code}"
        except EXPECTED as error:
            return f"{call.__name__} {type(error).__name__} {' '.join(str(error).split()[:3])}"
    return call.__name__


def seeds() -> List[Tuple[str, bytes]]:
    """Returns the first inputs: each fixture with two calls."""
    found = []
    paths = sorted(path for path in FIXTURES.rglob("*") if path.suffix not in (".dump", ".err"))
    for number, path in enumerate(path for path in paths if path.is_file()):
        for call in (number % len(CALLS), (number * 7 + 3) % len(CALLS)):
            choices = [call, *((number * 31 + index * index * (call + 1)) % 256 for index in range(1, TAIL))]
            name = f"{call:02}-{path.relative_to(FIXTURES).as_posix().replace('/', '-')}"
            found.append((name, path.read_bytes() + bytes(choices)))
    return found


def main(arguments: List[str]) -> None:
    """Repeats an input, or runs the fuzzer: ``boundary.py FOLDER OPTION...`` with options of libFuzzer.

    The folder gets the first inputs, those that show something new, and the finds.
    """
    if len(arguments) == 2:
        print(run(Path(arguments[1]).read_bytes()))
        return
    import atheris

    folder = Path(arguments[1])
    first, corpus = folder / "seeds", folder / "corpus"
    for path in (first, corpus):
        path.mkdir(parents=True, exist_ok=True)
    for name, data in seeds():
        (first / name).write_bytes(data)
    # A list has an order. That of a folder depends on the file system.
    (folder / "seeds.list").write_text(",".join(str(first / name) for name, _ in sorted(seeds())))
    words = sorted((ROOT / "fuzz/dictionaries").glob("*.dict"))
    (folder / "words.dict").write_text("".join(path.read_text() for path in words))
    options = [f"-seed_inputs=@{folder / 'seeds.list'}", f"-artifact_prefix={folder}/find-"]
    options += ["-timeout=10", "-rss_limit_mb=2048", "-max_len=2048", "-len_control=0"]
    options.append(f"-dict={folder / 'words.dict'}")
    # The fuzzer sees nothing of the native part, and would cut files to nothing, or forget them.
    options += ["-reduce_inputs=0", "-keep_seed=1", "-use_cmp=0", "-reload=0"]
    for function in (*dict.fromkeys(CALLS), look, look_at_track, round_trip):
        atheris.instrument_func(function)
    for module in (inbetween.arrow, inbetween._report, worker):
        for value in vars(module).values():
            if getattr(value, "__module__", None) == module.__name__ and hasattr(value, "__code__"):
                atheris.instrument_func(value)
    marks = [atheris.instrument_func(lambda: None) for _ in range(MARKS)]

    def observed(data: bytes) -> None:
        # Each outcome runs code of its own, so that the fuzzer keeps the inputs with new ones.
        marks[zlib.crc32(run(data).encode("utf-8", "replace")) % MARKS]()

    atheris.Setup([arguments[0], str(corpus), *options, *arguments[2:]], observed)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv)
