import CZlib

/// Makes gzip members that only store, so that texts of one length give members of one length.
enum GzipStore {
    /// The member of a text of at most 65,535 bytes.
    ///
    /// Source: RFC 1952, 2.3 and RFC 1951, 3.2.4.
    static func member(_ text: UnsafeRawBufferPointer) throws(GzipFault) -> [UInt8] {
        guard let length = UInt16(exactly: text.count) else { throw .damaged }
        // Magic, deflate, no flags, no time, no extra flags, unknown system; then one last, stored block.
        var member: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 1]
        append(length, to: &member)
        append(~length, to: &member)
        member.append(contentsOf: text)
        // SAFETY: crc32 reads exactly `count` bytes of the text.
        let crc = crc32(0, text.bindMemory(to: UInt8.self).baseAddress, UInt32(length))
        append(UInt32(truncatingIfNeeded: crc), to: &member)
        append(UInt32(length), to: &member)
        return member
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
