//! Why targets are missed, from instructions counted by callgrind in the release profile. The page
//! names the cause beside each missed target; the first entry whose words are all in the name of the
//! row counts.

/// Words of names, and the cause.
type Cause = (&'static [&'static str], &'static str);

const CAUSES: &[Cause] = &[
    (
        &["x4-ani", "inspect"],
        "Whether the keys of a group are one track or three depends on the types of all of them, so \
         every key is read.",
    ),
    (
        &["cast", "inspect"],
        "Three curves are one track if all their frames are equal, so every frame is read.",
    ),
    (
        &["50 MiB to 1 MiB: decode"],
        "At 1 MiB the file and the column stay in the cache. At 50 MiB decoding reads the whole file \
         from memory, and the baseline copies only the keys.",
    ),
    (
        &["50 MiB to 1 MiB"],
        "At 1 MiB the file stays in the cache. At 50 MiB it comes from memory, while the columns of \
         the baseline are smaller than the file.",
    ),
    (
        &["x4-ani", "read, to"],
        "A key takes 128 bytes in the file and about 20 in a column, and all of them are looked at, to \
         report what is dropped. Of many short tracks, allocations take 19 % and hashing names 11 %.",
    ),
    (
        &["x4-ani", "many short", "from a document"],
        "3,200 instructions a track: allocating and freeing memory takes 24 %, a third of it for the \
         columns of the document, and checking and reporting changes 14 %.",
    ),
    (
        &["x4-ani", "from parts"],
        "Keys are structures of numbers, so they are appended one by one, 16 bytes at a time, while the \
         baseline moves up to 64. Each record of many short tracks has a head of 160 bytes as well.",
    ),
    (
        &["decode"],
        "Keys have another layout in memory than in the file, so decoding moves each of their \
         fields; the baseline moves blocks. With 8 keys a track, a loop by hand took 1.7 times as \
         long as the baseline for SEAnim, and at least 2.0 times for Cast.",
    ),
    (
        &["animx", "strings", "read"],
        "The strings are scanned five times: for their end, their forms, their times, their memory, \
         and to append each of them to the pool. A string takes 400 instructions, and the baseline \
         fills one block.",
    ),
    (
        &["animx", "strings", "write"],
        "The length of each string is a 7-bit integer, so strings are written one by one, in 126 \
         instructions each.",
    ),
    (
        &["animx", "many short", "read"],
        "3,250 instructions a track: reading and sharing names takes 23 %, finding the order of the \
         keys 15 %, allocations 14 %, and parsing the list of tracks 10 %.",
    ),
    (
        &["animx", "few long", "read"],
        "`KeyOrderScore::new` and `Reader::order` pass over keys before they are decoded: 27 % \
         and 11 % of a track with 400 keys.",
    ),
    (
        &["animx", "many short", "from a document"],
        "2,160 instructions a track: allocating and freeing memory takes 20 %, and copying 14 %.",
    ),
    (
        &["animx", "few long", "from a document"],
        "`encode_keys` rounds times and checks that they do not change, while it interleaves them with \
         the values.",
    ),
    (&["animx", "from parts"], "`encode_keys` interleaves times and values, a track at a time."),
    (
        &["seanim", "many short", "from a document"],
        "2,500 instructions a track: allocating and freeing memory takes 21 %, most of it to free the \
         document, comparing times with those of the track before 8 %, and hashing names 4 %.",
    ),
    (
        &["seanim", "from a document"],
        "Frames and values are joined to keys of 14 or 18 bytes. Before that, times are compared with \
         those of the track before, and their frames are checked.",
    ),
    (
        &["seanim", "from parts"],
        "Frames and values are joined to keys of 14 or 18 bytes, one by one. Of many short tracks, names \
         and counts dominate.",
    ),
    (
        &["seanim", "read, to"],
        "Each block of keys is decoded twice, for times and for values, and `TrackData::curve` checks the \
         times. Of many short tracks, allocations take 21 %.",
    ),
    (
        &["cast", "few long", "read, to"],
        "A node has a curve for each axis. Their frames are compared, and three blocks of the file \
         are joined to one column of vectors.",
    ),
    (
        &["cast", "many short", "read, to"],
        "A curve is a node with five properties, and a vector has three curves. Properties have no \
         index, so they are parsed twice: for the index of nodes, and to read the curves. Each takes a \
         fourth of the instructions, and allocating and freeing memory a sixth.",
    ),
    (
        &["cast", "few long", "from a document"],
        "The values of a vector are read three times, once for each of its curves, and times are \
         compared with those of the track before.",
    ),
    (
        &["cast", "many short", "from a document"],
        "A vector has three curves, each a node with five properties. With 8 keys, 70 % of its bytes \
         are heads, names and strings.",
    ),
    (
        &["cast", "from parts"],
        "A node owns its properties, and each of these its name and its values: their memory is \
         scattered.",
    ),
    (
        &["gltf", "few long", "read, to"],
        "Values and times are decoded by separate passes (37 % and 16 % of the instructions), \
         `TrackData::curve` checks the times (22 %), and JSON takes 19 % in 1 MiB.",
    ),
    (
        &["gltf", "few long", "from a document"],
        "The JSON before the values depends on all of them, so they are read once to check them before \
         they are copied. With 50 MiB, writing took 2.09 times as long as the baseline, 1.66 times \
         without checking that rotations have unit length, 1.47 times without checking vectors \
         either, and 1.09 times without comparing times with those of the track before.",
    ),
    (
        &["gltf", "many short", "write from a document"],
        "Each track has accessors, a sampler and a channel in JSON: printing takes 41 %, half of \
         it the floats of rest poses; hashing names takes 13 %.",
    ),
    (
        &["gltf"],
        "Each track has accessors, a sampler and a channel in JSON: parsing it takes 73 % of reading.",
    ),
    (
        &["clip", "read, to"],
        "Values are computed from 16-bit words, row by row in the file: computing and checking them takes \
         most of the instructions of few long tracks. Of many short tracks, reading their heads, twice, \
         takes a fifth of the instructions, and allocating as much.",
    ),
    (
        &["clip", "from parts"],
        "Words are converted while they are appended, as fast as a copy. Of many short tracks, each \
         has a head of 13 bytes and every second one a name, which take more instructions than their \
         keys.",
    ),
    (
        &["clip: pose"],
        "Rotations turn by slerp, and their words lie bone by bone: decoding takes a third of the \
         instructions.",
    ),
    (
        &["animj", "many short", "from a document"],
        "Each track is prepared before it is printed, which takes 12 % of the instructions. At 50 MiB \
         the document comes from memory and is freed while it is written.",
    ),
    (
        &["animj", "write"],
        "`push_float` takes 76 %: `zmij` prints the digits, as in the baseline. The rest is copying \
         literals.",
    ),
    (
        &["animj", "read"],
        "Numbers take 43 % of the instructions of few long tracks, names of members 23 %, and keys with \
         their budget, path and columns 13 %. Strings have few numbers to gain from, and of many short \
         tracks, the head and the columns of a track take as many as 3.6 of its keys.",
    ),
    (
        &["unpack"],
        "The text has spaces and line breaks, which the baseline does not print, and names are \
         searched for hidden characters: `write_string_fragment` takes 8 %. As in the baseline, \
         `zmij` prints digits (25 %) and strings are searched for characters to escape (10 %).",
    ),
    (
        &["pack"],
        "The text is parsed to mirror types, as in the baseline, and the file is then built from \
         parts and parsed for its index.",
    ),
    (
        &["random seek"],
        "Each step of a seek waits for the one before: the part of the index, the number of the key, \
         its time, the time of the next one, the values. A loop by hand for even keys computes the \
         number of the key from the time and needs no index.",
    ),
    (
        &["sample float3", "played"],
        "A sample starts at any cursor, reads the interpolation of the key, and is exact at keys. Without \
         the check for the end of a segment, it took 1.31 times as long as the loop by hand, and \
         without that for its start 1.37 times. Comparing the time with the length of the segment \
         before dividing, or with both ends in one comparison, took 1.4 to 1.6 times as long.",
    ),
    (
        &["batch"],
        "Most of the time is `fsync`, and the system gains little from two of them at once.",
    ),
];

/// Returns the cause for a row.
pub(crate) fn of(name: &str) -> &'static str {
    let fits = |(words, _): &&Cause| words.iter().all(|word| name.contains(word));
    CAUSES.iter().find(fits).map_or("Not explained yet.", |(_, cause)| cause)
}

#[cfg(test)]
mod tests {
    use super::super::rows;
    use super::*;

    #[test]
    fn every_cause_belongs_to_a_row() {
        let rows = rows();
        let unused =
            CAUSES.iter().filter(|(_, cause)| rows.iter().all(|row| of(&row.name) != *cause));
        assert_eq!(unused.count(), 0);
    }
}
