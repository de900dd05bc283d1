// A planted overflow: a byte behind an allocation is written. The address sanitizer must name it.
let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
bytes.initialize(repeating: 0, count: 16)
let end = CommandLine.arguments.count + 15
bytes[end] = 1
print("wrote at \(end)")
