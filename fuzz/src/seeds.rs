//! Fixed seeds of hash maps.
//!
//! Hash maps take random seeds from the system, and then each run covers other code for the same
//! input, so that a fuzzer with one seed draws other inputs each time.

/// Fills a buffer with zeros in place of the system's function of this name, which the standard
/// library calls for the seeds.
///
/// # Safety
///
/// The buffer has at least `length` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn getrandom(buffer: *mut u8, length: usize, _flags: u32) -> isize {
    // SAFETY: the caller states that the buffer has so many bytes.
    unsafe { buffer.write_bytes(0, length) };
    isize::try_from(length).unwrap_or(-1)
}
