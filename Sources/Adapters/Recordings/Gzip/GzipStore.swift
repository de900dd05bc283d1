import CZlib

/// Makes gzip members that only store: texts of one length give members of one length, and nothing is spent
/// on packing.
package enum GzipStore {
    /// The member of a text of at most 65,535 bytes, in one block.
    static func member(_ text: UnsafeRawBufferPointer) throws(GzipFault) -> [UInt8] {
        guard text.count <= Int(UInt16.max) else { throw .damaged }
        return blocks(text)
    }

    /// The member of a text of less than 4 GiB, as a venue that packs its messages sends them.
    package static func packed(_ text: [UInt8]) -> [UInt8] { text.withUnsafeBytes { blocks($0) } }

    /// Source: RFC 1952, 2.3 and RFC 1951, 3.2.4.
    private static func blocks(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        // Magic, deflate, no flags, no time, no extra flags, unknown system.
        var member: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        var start = 0
        repeat {
            let length = UInt16(min(text.count - start, Int(UInt16.max)))
            let end = start + Int(length)
            // A stored block, which is the last one or not.
            member.append(end == text.count ? 1 : 0)
            append(length, to: &member)
            append(~length, to: &member)
            member.append(contentsOf: text[start..<end])
            start = end
        } while start < text.count
        let size = UInt32(truncatingIfNeeded: text.count)
        // SAFETY: crc32 reads exactly `size` bytes of the text.
        let crc = crc32(0, text.bindMemory(to: UInt8.self).baseAddress, size)
        append(UInt32(truncatingIfNeeded: crc), to: &member)
        append(size, to: &member)
        return member
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
