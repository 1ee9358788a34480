//! The codes of findings that no single format owns.

crate::codes! {
    /// One value is far outside all others of its track, as after a broken write. The bone flies away
    /// when it plays. Correct the value in the exporting program.
    VALUE_SPIKE = "value-spike", Warning, Observation;
    /// The first key comes late. Programs wait until then, or cut the time before it. Shift the clip to
    /// start at 0 if the pause is not wanted.
    STARTS_LATE = "starts-late", Info, Observation, [Edit("shift")];
    /// The clip repeats, and some of its tracks end elsewhere than they start. They jump when it
    /// starts again. No action is needed if that is meant, as for a root that walks.
    LOOP_SEAM = "loop-seam", Info, Observation;
    /// The program plays all segments linearly. Held values become ramps, and curves become straight.
    /// Bake the curves into linear keys before.
    PLAYS_LINEAR = "plays-linear", Warning, Observation, [Option("curves")];
    /// The program reads the keys of curves without their tangents, so the motion between the keys is
    /// another. Bake the curves into linear keys before.
    TANGENTS_IGNORED = "tangents-ignored", Warning, Observation, [Option("curves")];
    /// The program replaces curves by keys at a rate of its own, 30 per second unless its import
    /// settings say otherwise. Raise that rate if fast motion suffers.
    CURVES_RESAMPLED = "curves-resampled", Info, Observation;
    /// The program replaces some characters in the names of nodes. Code that looks for the original
    /// names does not find them. Rename the nodes.
    NAME_CHANGED = "name-changed", Warning, Observation, [Edit("rename")];
    /// The program reads this format only with an add-on. Install it, or convert the file to glTF.
    NEEDS_ADD_ON = "needs-add-on", Info, Observation;
    /// The program imports such a file as a model with its animations, not as an animation for
    /// another model. Convert it to AnimJ or AnimX for that.
    IMPORTED_AS_MODEL = "imported-as-model", Info, Observation;
    /// There are more findings than the limit allows. The remaining ones are not listed. Fix the
    /// listed ones first, or raise `Limits::findings`.
    FINDINGS_TRUNCATED = "core/findings-truncated", Info, Observation;
    /// A part of the file is broken: a clip, a track, or something that tracks refer to. It is
    /// skipped, and the rest is read. Correct it in the exporting program, or accept that the result
    /// lacks it.
    PART_SKIPPED = "part-skipped", Error, Loss;
    /// Keys are not sorted by time. Programs expect sorted keys and may play them wrong;
    /// conversions sort them. AnimJ files can be fixed automatically; convert other files to their
    /// own format again.
    KEYS_UNSORTED = "keys-unsorted", Warning, Observation, [Fix];
    /// Two keys have the same time. The value jumps there, and the first of the two never shows.
    /// Remove one of them if you do not want a jump.
    TIMES_EQUAL = "times-equal", Info, Observation;
    /// Two keys are on the same frame. Programs show one of them and disagree about which. Remove
    /// the other one in the exporting program, or in the text form.
    DUPLICATE_FRAME = "duplicate-frame", Warning, Observation, [TextForm];
    /// A key is before time 0. Resonite refuses such files, and other programs do not play the key.
    /// Cut such keys, or move the clip to later times.
    TIME_NEGATIVE = "time-negative", Error, Observation, [Edit("trim"), Edit("shift")];
    /// The time of a key is NaN or infinite. The key cannot play, and conversions drop it. Correct
    /// the time in the text form.
    TIME_INVALID = "time-invalid", Error, Observation, [TextForm];
    /// Keys come after the stated duration. Resonite plays until the last key. State a longer
    /// duration, or trim the clip.
    KEY_AFTER_DURATION = "key-after-duration", Info, Observation, [Edit("trim")];
    /// The interval between keys is not a positive number. Only the first key ever plays. Set a
    /// positive interval.
    INTERVAL_INVALID = "interval-invalid", Warning, Observation;
    /// The stated duration is negative, NaN or infinite. The clip plays to its last key, or not at
    /// all. Correct the duration in the text form.
    DURATION_INVALID = "duration-invalid", Error, Observation, [TextForm];
    /// The frame rate is not a positive number, so frames have no time in seconds. Blender aborts
    /// the import, and conversions use another rate. Give the correct rate.
    FRAME_RATE_INVALID = "frame-rate-invalid", Error, Observation, [Option("fps")];
    /// A value is NaN or infinite. Programs show nothing, or something arbitrary. Correct the value
    /// in the exporting program or in the text form.
    NUMBER_NOT_FINITE = "number-not-finite", Error, Observation, [TextForm];
    /// A rotation is not normalized. Programs that do not normalize rotations scale the bone or
    /// play a wrong rotation. Normalize it in the exporting program.
    ROTATION_NOT_UNIT = "rotation-not-unit", Warning, Observation;
    /// The number of an interpolation is not known. Resonite refuses the file, and the key holds its
    /// value. Use Hold, Linear, Tangent or `CubicBezier`.
    INTERPOLATION_UNKNOWN = "interpolation-unknown", Error, Observation;
    /// A Tangent or `CubicBezier` segment lacks a tangent. A missing tangent counts as zero. Add it, or
    /// use Linear.
    TANGENT_MISSING = "tangent-missing", Warning, Observation;
    /// A segment is Tangent or `CubicBezier`, but values of this type have no tangents. Resonite
    /// interpolates it linearly, or holds values that cannot be interpolated. Use Linear or Hold
    /// instead.
    TANGENT_UNUSABLE = "tangent-unusable", Warning, Observation;
    /// A track has no keys. Resonite is reported to crash on such tracks, and Blender reads an
    /// empty curve as 0. Remove the track, or convert the file and let the option `empty-tracks`
    /// drop it.
    EMPTY_TRACK = "empty-track", Warning, Observation, [Option("empty-tracks"), Edit("drop")];
    /// Two tracks animate the same property of a node. Programs play one of them. Remove the other
    /// one, or rename its node.
    DUPLICATE_TRACK = "duplicate-track", Warning, Observation, [Edit("drop"), Edit("rename")];
    /// Two bones have the same name. Tracks name their bones, so programs animate one of them.
    /// Rename one of them in the exporting program.
    DUPLICATE_BONE = "duplicate-bone", Warning, Observation;
    /// A text is not valid UTF-8. Resonite refuses it or shows replacement characters. Save it as
    /// UTF-8.
    NOT_UTF8 = "not-utf8", Error, Observation;
    /// A name is not valid UTF-8. It is shown as Latin-1; the text form keeps its bytes, and
    /// conversions write it as UTF-8. Rename it if your program cannot find it.
    NAME_ENCODING = "name-encoding", Info, Observation, [Edit("rename")];
    /// Unexplained bytes follow the content of the file. No known program reads them; the text form
    /// keeps them, and conversions drop them. No action is needed.
    TRAILING_BYTES = "trailing-bytes", Warning, Observation;
    /// Unexplained bytes follow the content of the file. The common model cannot store them, so
    /// they are dropped. Make changes in the text form to keep them.
    TRAILING_DROPPED = "convert/trailing-dropped", Warning, Loss, [TextForm];
    /// Reserved bytes or padding are not 0. Programs ignore them; the text form keeps them, and
    /// conversions drop them. No action is needed.
    RESERVED_NOT_ZERO = "reserved-not-zero", Info, Observation;
    /// Reserved bytes or padding are not 0. The common model cannot store them, so they are
    /// dropped. Make changes in the text form to keep them.
    RESERVED_DROPPED = "convert/reserved-dropped", Warning, Loss, [TextForm];
    /// A name is not valid UTF-8. It is read as Latin-1, or with replacement characters in AnimX,
    /// and written as UTF-8, so its bytes change. Make changes in the text form to keep the bytes.
    NAME_REENCODED = "convert/name-reencoded", Warning, Loss, [TextForm];
    /// The frame rate of the file is not a positive number. Another rate is used to compute key
    /// times. Give the correct rate.
    FRAME_RATE_REPLACED = "convert/frame-rate-replaced", Warning, Loss, [Option("fps")];
    /// The target stores the frame rate as a 32-bit float. The rate is rounded to the nearest one.
    /// No action is needed.
    RATE_ROUNDED = "convert/rate-rounded", Info, Observation;
    /// Another track animates the same property of the node, and the target stores one. The first
    /// one is written. Merge the tracks, or remove one.
    SECOND_TRACK_DROPPED = "convert/second-track-dropped", Warning, Loss, [Edit("drop")];
    /// A blend shape belongs to a node, and the target stores shapes without nodes. The name of the
    /// node is dropped. No action is needed if the names of shapes are unique across nodes.
    SHAPE_NODE_DROPPED = "convert/shape-node-dropped", Warning, Loss;
    /// The blend mode of a node is stated, but the target stores none there: the node has no keys,
    /// or the format has no such mode. Existing tracks play as before unless bones inherit the
    /// mode. Give the node the keys of its rest pose, or resolve the clip, which makes it absolute.
    OVERRIDE_DROPPED = "convert/override-dropped", Warning, Loss, [Edit("fill"), Edit("resolve")];
    /// The target does not store markers. They are dropped. Keep the source file if you need them.
    MARKERS_DROPPED = "convert/markers-dropped", Warning, Loss;
    /// A rotation has the length 0 and no direction, which the target does not support. The key is
    /// dropped. Correct the rotation in the source file.
    ROTATION_DROPPED = "convert/rotation-dropped", Warning, Loss;
    /// The values have 64 bits, and the file stores 32. All of them fit exactly. No action is needed.
    KIND_NARROWED = "convert/kind-narrowed", Info, Observation;
    /// A key has a time that is NaN or infinite. Such a key has no place on the timeline, so it is
    /// dropped. Correct the time in the source file to keep the key.
    TIME_NOT_FINITE = "convert/time-not-finite", Warning, Loss;
    /// Keys are not sorted by time. The conversion sorts them; keys with equal times keep their
    /// order. To convert without this loss, sort the keys in the source file.
    TIMES_SORTED = "convert/times-sorted", Warning, Loss;
    /// A value, a tangent or an interval is NaN or infinite, which the target does not support. Keys
    /// with such values are dropped, such tangents become flat or are dropped with their keys, and
    /// such an interval becomes 0, which plays the same. Correct the values in the source file.
    VALUE_NOT_FINITE = "convert/value-not-finite", Warning, Loss;
    /// The target stores times less precisely than the source. Key times are rounded to 32-bit
    /// floats, or to the nearest frame if they are within rounding of it. No action is needed.
    TIMES_ROUNDED = "convert/times-rounded", Info, Observation;
    /// The values have 64 bits, and the target stores 32. They are rounded to the nearest 32-bit
    /// float. To round them before other edits, convert the values to 32 bits first.
    VALUES_NARROWED = "convert/values-narrowed", Info, Observation, [Edit("to_f32")];
    /// Keys come before time 0, where the target does not play. The value at 0 becomes the first
    /// key, and the earlier keys are dropped. To keep them, move the clip to later times first.
    NEGATIVE_TIMES_CUT = "convert/negative-times-cut", Warning, Loss, [Edit("shift")];
    /// Keys are not on frames of the target's frame rate. They are moved to the nearest frame, within
    /// the stated error. Choose a frame rate that fits, or resample the clip.
    KEYS_OFF_GRID = "convert/keys-off-grid", Info, Observation, [Option("fps"), Edit("resample")];
    /// Keys at different times are closest to the same frame of the target. Only the last of them
    /// is kept. Choose a higher frame rate.
    KEYS_MERGED = "convert/keys-merged", Warning, Loss, [Option("fps")];
    /// The keys do not fit the requested frame rate. They are replaced by one key per frame,
    /// sampled at that rate. Choose another rate to keep the original keys.
    RESAMPLED = "convert/resampled", Info, Observation, [Option("fps")];
    /// The target does not support this curve. It is replaced by sampled keys, within the stated
    /// error. For a target with frames, a higher frame rate makes the error smaller.
    CURVE_BAKED = "convert/curve-baked", Info, Observation, [Option("fps")];
    /// The target does not store the times of Bezier handles. The handles become control points of
    /// values, which play the same in every engine known to read them. No action is needed.
    HANDLES_CONVERTED = "convert/handles-converted", Info, Observation;
    /// The target engine plays some keys by other rules than the source engine, for example a last
    /// key that shows its handle. Keys are added or changed so that the target plays the same. No
    /// action is needed.
    KEYS_TRANSLATED = "convert/keys-translated", Info, Observation;
    /// Some rotations are not normalized, and the target plays such rotations differently or does
    /// not store them. They are normalized. No action is needed.
    ROTATIONS_NORMALIZED = "convert/rotations-normalized", Info, Observation;
    /// Some rotations are not normalized, and the target plays such rotations differently or does
    /// not store them. They are normalized, so the target turns at another speed between these
    /// keys. Normalize the rotations in the source file to see the difference there.
    UNEVEN_ROTATIONS_NORMALIZED = "convert/uneven-rotations-normalized", Warning, Loss;
    /// The new keys differ from the source by more than the bound, because keys are never closer
    /// than half a frame. The largest difference is stated with its time. Use a higher frame rate,
    /// or add keys there in the source file.
    BOUND_EXCEEDED = "convert/bound-exceeded", Warning, Loss, [Option("fps")];
    /// Only one of source and result shows a value: the other is NaN, infinite, or a rotation
    /// without direction. If 32 bits cannot hold a number of the source, the target has the largest
    /// number that they hold, or infinity. Correct the value in the source file.
    VALUE_UNDEFINED = "convert/value-undefined", Warning, Loss;
    /// The segment turns too often, or most of its turn happens too suddenly, so its error was
    /// measured at a few times only. The stated error does not cover the rest of it. Add keys to the
    /// segment in the source file.
    ERROR_NOT_MEASURED = "convert/error-not-measured", Warning, Loss;
    /// Some axes of a vector have no track, and no rest pose is known. They become 0, or 1 for
    /// scales. Fill the axes from a rest pose first.
    AXES_MISSING = "convert/axes-missing", Warning, Loss, [Edit("fill")];
    /// The target stores rotations as quaternions, and the track has Euler angles. The angles are
    /// converted, with extra keys where two keys are far apart. No action is needed if the stated
    /// error is small enough.
    EULER_BAKED = "convert/euler-baked", Info, Observation;
    /// The target has no tracks of single components. The tracks of X, Y and Z are joined into one
    /// track of vectors, with keys at the times of all of them. No action is needed if the stated
    /// error is small enough.
    COMPONENTS_JOINED = "convert/components-joined", Info, Observation;
    /// Some tracks have no keys. They play nothing, and programs crash on them or read them as 0,
    /// so they are not written. No action is needed; for Resonite, the option `empty-tracks` can
    /// keep them.
    EMPTY_TRACKS_DROPPED = "convert/empty-tracks-dropped", Info, Observation,
        [Option("empty-tracks")];
    /// The clip has no name, and the target stores a name for every clip. An empty name is written.
    /// No action is needed.
    CLIP_UNNAMED = "convert/clip-unnamed", Info, Observation;
    /// The target does not support this track. The track is dropped. Remove it first to convert
    /// without a loss.
    TRACK_DROPPED = "convert/track-dropped", Warning, Loss, [Edit("drop")];
    /// The clip has no name, and the target needs one. The clip gets the name of its file. Rename
    /// the file to choose another name.
    CLIP_NAMED = "convert/clip-named", Info, Observation;
    /// Several clips have the requested name. The first one is used. Pick a clip by its number: `#2`
    /// is the second one.
    CLIP_AMBIGUOUS = "clip-ambiguous", Warning, Observation;
    /// Another clip has the same name; clip names are case-insensitive. This clip gets a new name.
    /// Rename the clip or its file to choose one yourself.
    CLIP_RENAMED = "convert/clip-renamed", Warning, Loss;
    /// The target stores one clip, and the input has more. Only the edited clip is written. To keep
    /// the others, write a format that stores several clips.
    CLIPS_NOT_WRITTEN = "convert/clips-not-written", Info, Observation;
    /// The target does not store clip names. Programs show the name of the file instead. Use the name
    /// of the clip as the file name to keep it.
    NAME_DROPPED = "convert/name-dropped", Info, Observation;
    /// The target does not store a frame rate. Key times in seconds are unchanged. Give the rate when
    /// you convert back.
    FRAME_RATE_DROPPED = "convert/frame-rate-dropped", Info, Observation, [Option("fps")];
    /// The document has no frame rate, and the target needs one. The lowest common rate that puts
    /// all keys of the file on frames is used, or else the rate of their even spacing. Give another
    /// rate if this one is wrong.
    FRAME_RATE_GUESSED = "convert/frame-rate-guessed", Info, Observation, [Option("fps")];
    /// The document has no frame rate, and no rate puts all keys of the file on frames, because they
    /// are not evenly spaced. 30 frames per second is used. Give another rate if this one is wrong.
    FRAME_RATE_DEFAULT = "convert/frame-rate-default", Warning, Observation, [Option("fps")];
    /// The clip repeats, and the target does not store that. The clip plays once unless the engine
    /// repeats it. Set repetition in the engine.
    LOOPING_DROPPED = "convert/looping-dropped", Warning, Loss;
    /// The target does not store a skeleton. The tracks are kept, and the engine has the parents and
    /// the rest pose of its own rig. Convert to a format that stores skeletons to keep them.
    SKELETON_DROPPED = "convert/skeleton-dropped", Info, Observation;
    /// The file has other parts than animations and a skeleton, such as meshes and materials. They are
    /// not converted, although the target could store them. Keep the original file for them.
    SCENE_DROPPED = "convert/scene-dropped", Warning, Loss;
    /// The file has other parts than animations, such as meshes and materials, for which the target
    /// has no place. No action is needed.
    SCENE_LEFT_OUT = "convert/scene-left-out", Info, Observation;
    /// Files that are combined have other rest poses of the same bone. The rest pose of the first file
    /// is kept. Clips of the other file play as before where they have keys, and bones without keys
    /// take the first rest pose. Check that both files are of one rig.
    REST_POSES_DIFFER = "convert/rest-poses-differ", Warning, Loss;
    /// The clip is additive or relative, and the target stores absolute poses only. The values are
    /// written unchanged and play as the pose itself. Resolve them with the rest pose first.
    BLEND_DROPPED = "convert/blend-dropped", Warning, Loss, [Edit("resolve")];
    /// Some nodes have a blend mode of their own, which the target does not store. Their values are
    /// written unchanged and play like all others. Resolve them with the rest pose first.
    BLEND_OVERRIDES_DROPPED = "convert/blend-overrides-dropped", Warning, Loss, [Edit("resolve")];
    /// A string is null, and the target does not support null. It becomes an empty string. No
    /// action is needed unless your program distinguishes the two.
    NULL_TEXT = "convert/null-text", Info, Observation;
    /// The target cannot store the stated duration. The length of the clip follows from its keys
    /// instead. To keep the length, add a key at the end of the clip or choose another frame rate.
    DURATION_CHANGED = "convert/duration-changed", Warning, Loss, [Option("fps")];
    /// The source states no duration, or one that ends before the last key. The target plays to its
    /// last key. If the source engine stops before that, cut the keys.
    DURATION_EXTENDED = "convert/duration-extended", Info, Observation, [Edit("trim")];
    /// Keys come after the stated duration, where the source engine stops and the target would play
    /// on. They are cut, with a key at the end of the duration where a segment continues, so the
    /// same plays. State a longer duration to keep them.
    KEYS_AFTER_END_CUT = "convert/keys-after-end-cut", Warning, Loss;
    /// The target cannot store the keys in their original form. They are stored with times instead
    /// of an interval, or with another interpolation on a key that starts no segment, and play the
    /// same. No action is needed.
    SHAPE_CHANGED = "convert/shape-changed", Info, Observation;
    /// The target groups tracks by node. The tracks are written in another order and play the same.
    /// No action is needed.
    TRACKS_REORDERED = "convert/tracks-reordered", Info, Observation;
    /// Some segments have tangents or handles but an interpolation that does not use them. The
    /// target cannot store them there, so they are dropped; playback does not change. No action is
    /// needed.
    TANGENTS_DROPPED = "convert/tangents-dropped", Info, Observation;
    /// Curves are written as splines with tangents. Blender plays their keys and drops their tangents.
    /// Bake them for it.
    SPLINES_WRITTEN = "convert/splines-written", Info, Observation, [Option("curves")];
    /// The file stores its markers as a track between other tracks. They become the markers of the
    /// clip, and writing them back puts the track last. No action is needed unless the order of
    /// tracks matters to you.
    MARKERS_MOVED = "convert/markers-moved", Info, Observation;
    /// The name of a track has a special meaning in the target format. Readers of the target will
    /// not treat it as a custom name. Rename the node if that is not intended.
    NAME_RESERVED = "convert/name-reserved", Info, Observation, [Edit("rename")];
    /// The target has no tracks of single components. The component becomes part of the property's
    /// name, so readers of the target treat it as a custom property. Give all components of the
    /// vector a track to have them joined.
    COMPONENT_IN_NAME = "convert/component-in-name", Warning, Loss;
}
