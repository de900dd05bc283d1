import FuzzFileInputs

/// Called by libFuzzer with each input; anything but a return is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    // SAFETY: libFuzzer owns `count` bytes at `start` until this returns, and nothing here keeps them.
    FileInput.run(UnsafeRawBufferPointer(start: start, count: count))
    return 0
}
