//! Replacing curves by keys that every format can hold.
