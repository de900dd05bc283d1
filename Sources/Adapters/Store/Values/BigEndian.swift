/// Integers in network byte order, as PostgreSQL's binary formats have them.
enum BigEndian {
    @inline(__always)
    static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// - Precondition: `offset` and the integer's size are within `bytes`; callers check the length first.
    @inline(__always)
    static func read<T: FixedWidthInteger & BitwiseCopyable>(
        _ type: T.Type, _ bytes: UnsafeRawBufferPointer, at offset: Int
    ) -> T {
        T(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
    }

    /// Writes over bytes that were reserved before, such as a length.
    static func replace(_ value: Int32, in bytes: inout [UInt8], at offset: Int) {
        withUnsafeBytes(of: value.bigEndian) { source in
            bytes.withUnsafeMutableBytes { $0[offset..<offset + 4].copyBytes(from: source) }
        }
    }
}
