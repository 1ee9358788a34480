"""The logic of the extension that needs no Blender."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest
from inbetween_blender import build, component, curves, names, rotations, tracks
from inbetween_blender.curves import Keys
from inbetween_blender.plan import Planner
from inbetween_blender.targets import Notes, Rest, Settings, Target, rest_of

import inbetween

FIXTURES = Path(__file__).resolve().parents[4] / "fixtures"

MODES = ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"]


def quaternions(count: int, seed: int = 1) -> np.ndarray:
    return rotations.normalized(np.random.default_rng(seed).normal(size=(count, 4)))


def test_matches_exact_names_before_other_cases_and_ends_of_paths():
    found = names.match(["Hips", "SPINE", "rig|arm", "tail"], ["Hips", "hips", "Spine", "arm", "leg"])
    assert found.found == {"Hips": "Hips", "SPINE": "Spine", "rig|arm": "arm"}
    assert (found.missing, found.unused) == (["tail"], ["hips", "leg"])


def test_names_that_differ_only_in_case_match_none_of_them():
    assert names.match(["HIPS"], ["Hips", "hips"]).missing == ["HIPS"]


def test_rename_map_comes_first():
    renames = names.parse_renames("# bones\nj_spine = Spine\nj_hip\tHip\na,b\n")
    assert renames == {"j_spine": "Spine", "j_hip": "Hip", "a": "b"}
    assert names.match(["j_spine"], ["Spine", "j_spine"], renames).found == {"j_spine": "Spine"}
    with pytest.raises(ValueError, match="line 2"):
        names.parse_renames("a=b\nnothing\n")


def test_taken_action_names_get_numbers():
    assert names.action_name("walk", "file", []) == "walk"
    assert names.action_name(None, "file", ["file"]) == "file.001"
    assert names.action_name("walk.001", "file", {"walk.001", "walk.002"}) == "walk.003"
    assert len(names.action_name("ä" * 80, "file", []).encode()) <= 63


@pytest.mark.parametrize("name", ["hips", 'a"b', "back\\slash", 'both\\"', "line\nend", "ä.L"])
def test_data_paths_split_into_the_names_that_made_them(name: str):
    assert names.split_path(names.bone_prefix(name) + "location") == (name, "location")
    assert names.split_path("location") == (None, "location")


@pytest.mark.parametrize("mode", MODES)
def test_euler_angles_return_their_rotation(mode: str):
    q = quaternions(500)
    assert rotations.angle_between(rotations.from_euler(rotations.to_euler(q, mode), mode), q).max() < 1e-7


def test_euler_angles_follow_a_turn_beyond_half_a_circle():
    angles = np.linspace(0, 6 * np.pi, 200)[:, None] * np.array([0.0, 0.0, 1.0])
    back = rotations.to_euler(rotations.from_euler(angles, "XYZ"), "XYZ")
    assert np.abs(np.diff(back, axis=0)).max() < 0.2


def test_orders_of_the_library_are_modes_of_blender():
    mode, signs = rotations.blender_mode("y-z-x")
    assert (mode, signs.tolist()) == ("XZY", [-1.0, 1.0, -1.0])


def test_axis_and_angle_return_their_rotation():
    q = quaternions(100)
    assert rotations.angle_between(rotations.from_axis_angle(rotations.to_axis_angle(q)), q).max() < 1e-7


def test_matrices_turn_as_quaternions_do():
    a, b = quaternions(2)
    product = rotations.to_matrix(a) @ rotations.to_matrix(b)
    assert np.allclose(rotations.to_matrix(rotations.multiply(a, b)), product)
    assert np.allclose(rotations.left_matrix(a) @ b, rotations.multiply(a, b))


def cubic(times: np.ndarray) -> np.ndarray:
    return (times**3 - 2 * times**2 + 1)[:, None]


def test_samples_of_a_cubic_give_its_handles():
    times = np.array([0.0, 0.5, 2.0])
    left, right = curves.cubic_handles(times, cubic(times), cubic)
    keys = Keys(times, cubic(times), np.full(3, curves.BEZIER), left, right)
    at = np.linspace(0, 2, 77)
    assert np.abs(curves.evaluate(keys, at) - cubic(at)).max() < 1e-12
    assert curves.fitted(keys, cubic, at).baked == 0


def test_segments_that_differ_become_keys_on_frames():
    keys = Keys(np.array([0.0, 1.0, 2.0]), cubic(np.array([0.0, 1.0, 2.0])), np.array([1, 0, 1], np.uint8))

    def sampler(times: np.ndarray) -> np.ndarray:
        return np.where(times[:, None] < 1, cubic(times), 0.0 * cubic(times) + cubic(np.ones(1)))

    keys.values[2] = keys.values[1]
    frames = np.arange(61) / 30
    baked = curves.fitted(keys, sampler, frames)
    assert baked.baked == 1
    assert np.abs(curves.evaluate(baked.keys, frames) - sampler(frames)).max() < 1e-12
    assert 0 < baked.error < 2e-3
    assert len(baked.keys.times) == 30 + 2


def test_linear_quaternions_of_small_steps_play_as_the_file_within_the_tolerance():
    turn = np.linspace(0.0, np.arccos(0.9990), 2)
    q = np.stack((0 * turn, 0 * turn, np.sin(turn), np.cos(turn)), axis=-1)
    part = np.linspace(0, 1, 101)
    played = q[0] + (q[1] - q[0]) * part[:, None]
    slerp = np.stack((0 * part, 0 * part, np.sin(turn[1] * part), np.cos(turn[1] * part)), axis=-1)
    assert curves.difference(played, slerp, True).max() < curves.TOLERANCE


def test_unusable_keys_are_dropped_and_jumps_kept():
    times = np.array([1.0, 0.0, 1.0, 1.0, np.nan, 2.0])
    order = curves.clean(times, np.array([[1.0], [0], [2], [3], [4], [np.inf]]), times)
    assert order.tolist() == [1, 0, 3]


def test_constant_curves_get_one_key():
    keys = Keys(np.array([0.0, 1.0]), np.array([[1.0, 2.0], [1.0, 3.0]]), np.array([1, 1]))
    one, two = curves.packed(keys, 24.0, 1.0)
    assert (one.points.tolist(), two.points.tolist()) == ([1.0, 1.0], [1.0, 2.0, 25.0, 3.0])


def test_rest_pose_is_taken_out_of_positions_and_rotations():
    position, turn = np.array([1.0, 2.0, 3.0]), quaternions(1)[0]
    rest = rest_of(position, turn, "QUATERNION")
    assert np.allclose(rest.matrix @ position + rest.offset, 0)
    assert np.allclose(rotations.multiply(rest.turn, turn), rotations.IDENTITY)


def test_a_clip_becomes_curves_of_its_bones():
    document = inbetween.Document.from_arrays(
        {"hips/Position": ([0.0, 1.0], [[0.0, 0, 0], [0.0, 2, 0]]), "hips/Weight:x": ([0.0, 1.0], [0.0, 1.0])}
    )
    notes = Notes()
    find = lambda node, kind: Target("a", names.bone_prefix(node), node) if kind == "Position" else None  # noqa: E731
    planner = Planner(document.clips[0], find, Settings(30.0), False, notes)
    channels = list(planner.channels())
    assert [channel.path for channel in channels] == ['pose.bones["hips"].location']
    assert [len(each.modes) for each in channels[0].packed] == [1, 2, 1]
    assert channels[0].packed[1].points.tolist() == [0.0, 0.0, 30.0, 2.0]


def test_looping_curves_span_the_clip():
    track = inbetween.Track("hips", "Position", [0.25, 0.5], [[0.0, 0, 0], [0.0, 2, 0]])
    clip = inbetween.Clip([track], duration=1.0)
    planner = Planner(clip, lambda *_: Target("a", "", "", Rest()), Settings(4.0), True, Notes())
    points = next(planner.channels()).packed[1].points.reshape(-1, 2)
    assert points.tolist() == [[0, 0], [1, 0], [2, 2], [4, 2]]


def test_times_of_frames_lose_the_rounding_of_floats():
    times = np.array([0.1, 0.23333333333333334, 0.35, 7.0])
    frames = (times * 24 + 1).astype(np.float32)
    back = tracks.seconds(frames, 1.0, 24.0)
    assert back[[0, 2, 3]].tolist() == [0.1, 0.35, 7.0]
    assert np.abs(back - times).max() < 1e-6


def test_components_of_other_key_times_are_not_joined():
    one = Keys(np.array([0.0, 1.0]), np.array([[0.0], [1.0]]), np.array([1, 1]))
    two = Keys(np.array([0.0, 2.0]), np.array([[0.0], [1.0]]), np.array([1, 1]))
    still = Keys(np.array([5.0]), np.array([[7.0]]), np.array([1]))
    assert tracks.joined([one, two, None], np.zeros(3)) is None
    assert tracks.joined([one, still, None], np.zeros(3)).values.tolist() == [[0, 7, 0], [1, 7, 0]]


def wheel(folder: Path, *names: str) -> Path:
    path = folder / "inbetween_anim-0.1.0-cp39-abi3-manylinux_2_17_x86_64.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(f"inbetween_anim-0.1.0.dist-info/{name}", name)
    return path


def test_the_zip_has_the_licenses_of_the_wheel(tmp_path: Path):
    made = wheel(
        tmp_path, "METADATA", "licenses/LICENSE-MIT", "licenses/parts/serde/LICENSE", "sboms/list.json"
    )
    folder = tmp_path / "staged"
    folder.mkdir()
    assert build.stage(made, folder) == "inbetween-0.1.0-linux-x64.zip"
    found = {str(path.relative_to(folder / "licenses")) for path in (folder / "licenses").rglob("*.*")}
    assert found == {"list.json"}
    assert (folder / "licenses/LICENSE-MIT").read_text() == "licenses/LICENSE-MIT"
    assert (folder / "licenses/parts/serde/LICENSE").read_text() == "licenses/parts/serde/LICENSE"
    assert (folder / "wheels" / made.name).read_bytes() == made.read_bytes()
    assert 'platforms = ["linux-x64"]' in (folder / "blender_manifest.toml").read_text()


def test_a_wheel_without_licenses_is_refused(tmp_path: Path):
    folder = tmp_path / "staged"
    folder.mkdir()
    with pytest.raises(SystemExit, match="no licenses"):
        build.stage(wheel(tmp_path, "METADATA"), folder)


COMPONENT = """<?xml version="1.0"?>
<components><component name="ship"><connections>
  <connection name="c1" tags="part animation">
    <animations>
      <animation name="Opening" start="1" end="30"/>
      <animation name="closing" start="31" end="60"/>
      <animation name="closing" start="100" end="200"/>
      <animation name="idle"/>
    </animations>
    <parts><part name="anim_a"/></parts>
  </connection>
  <connection name="c2" parent="Anim_A"><parts><part name="anim_b"/></parts></connection>
  <connection name="c3" parent="anim_b" tags="truncateanimations">
    <parts><part name="anim_c"/></parts>
  </connection>
</connections></component></components>
"""


def x4_document(*clips: tuple[str, str, float]) -> inbetween.Document:
    """Returns a document of clips by their names, parts and durations."""
    values = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    return inbetween.Document(
        [
            inbetween.Clip([inbetween.Track(part, "Position", [0.0, time], values)], name=name, duration=time)
            for name, part, time in clips
        ]
    )


def ranges(folder: Path, xml: str | bytes, document: inbetween.Document) -> tuple[list, list[str]]:
    """Returns the ranges and the codes of findings with a component beside ``ship_data.ani``."""
    (folder / "ship.xml").write_bytes(xml.encode() if isinstance(xml, str) else xml)
    found, findings = component.ranges_beside(str(folder / "SHIP_DATA.ANI"), document)
    return found, [each.code.removeprefix("blender/component-") for each in findings]


def test_clips_have_the_frames_of_their_component(tmp_path: Path):
    document = x4_document(
        ("opening", "anim_a", 1.0),
        ("CLOSING", "anim_b", 29 / 30),
        ("opening", "anim_c", 1.0),
        ("idle", "anim_a", 1.0),
        ("other", "anim_a", 1.0),
    )
    # Frame 1 counts as a start, so 1 to 30 last a second: they are 0 to 30.
    wanted = [(0.0, 30.0), (31.0, 60.0), None, None, None]
    assert ranges(tmp_path, COMPONENT, document) == (wanted, ["ranges"])
    assert ranges(tmp_path, "\ufeff" + COMPONENT.replace("utf-8", ""), document)[0] == wanted


def test_a_component_that_does_not_fit_is_reported(tmp_path: Path):
    found, codes = ranges(tmp_path, COMPONENT, x4_document(("opening", "anim_a", 2.0)))
    assert (found, codes) == ([(0.0, 30.0)], ["ranges", "mismatch"])


def test_parents_that_form_a_cycle_end(tmp_path: Path):
    xml = '<component><connection parent="a"><parts><part name="a"/></parts></connection></component>'
    assert ranges(tmp_path, xml, x4_document(("opening", "a", 1.0)))[0] == [None]


@pytest.mark.parametrize(
    "frames",
    ['start="nan" end="5"', 'start="1" end="inf"', 'start="x" end="5"', 'end="5"', 'start="0" end="1e9"'],
)
def test_frames_that_are_no_range_are_ignored(tmp_path: Path, frames: str):
    xml = COMPONENT.replace('start="1" end="30"', frames)
    assert ranges(tmp_path, xml, x4_document(("opening", "anim_a", 1.0)))[0] == [None]


BOMB = '<!DOCTYPE c [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    "xml",
    [
        "",
        "text",
        "<component><connection>",
        "<model/>",
        BOMB + "<component>&b;</component>",
        (BOMB + "<component>&b;</component>").encode("utf-16"),
        '<?xml version="1.0" encoding="unheard-of"?><component/>',
        '<?xml version="1.0" encoding="utf-7"?><component/>',
        b"<component>\xff</component>",
        b"<component>" + b" " * component.LARGEST + b"</component>",
    ],
    ids=["empty", "text", "cut", "other", "bomb", "bomb-utf16", "encoding", "utf7", "bytes", "large"],
)
def test_a_broken_component_is_a_finding(tmp_path: Path, xml: str | bytes):
    assert ranges(tmp_path, xml, x4_document(("opening", "anim_a", 1.0))) == ([None], ["unreadable"])


def test_deep_components_are_read(tmp_path: Path):
    depth = 100_000
    xml = "<component>" + "<a>" * depth + "</a>" * depth + "</component>"
    assert ranges(tmp_path, xml, x4_document(("opening", "anim_a", 1.0))) == ([None], ["ranges"])


def test_only_the_component_of_the_file_is_read(tmp_path: Path):
    document = x4_document(("opening", "anim_a", 1.0))
    (tmp_path / "other.xml").write_text(COMPONENT)
    assert component.ranges_beside(str(tmp_path / "ship.ani"), document) == ([None], [])
    (tmp_path / "Ship.XML").write_text(COMPONENT)
    assert component.ranges_beside(str(tmp_path / "ship.ani"), document)[0] == [(0.0, 30.0)]
    assert component.ranges_beside(str(tmp_path / "ship.glb"), document) == ([None], [])
    assert component.ranges_beside(str(tmp_path / "gone" / "ship.ani"), document) == ([None], [])


def test_values_that_do_not_fit_their_property_are_skipped():
    clip = inbetween.read(FIXTURES / "animj/ok/position-of-another-type.animj").clips[0]
    notes = Notes()
    planner = Planner(clip, lambda *_: Target("a", "", ""), Settings(30.0), False, notes)
    assert list(planner.channels()) == []
    assert notes.skipped == [f"{track.label}: {track.kind} values" for track in clip.tracks]
