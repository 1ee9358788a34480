#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| inbetween_fuzz::run("read_unity_anim", bytes));
