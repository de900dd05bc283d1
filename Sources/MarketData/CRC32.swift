/// CRC-32 as of ISO 3309 and zlib (reflected polynomial 0xEDB88320), eight bytes a step.
///
/// Source: ITU-T V.42, 8.1.1.6.2; tables after the "slicing-by-8" method, Intel, 2006.
public struct CRC32: Sendable {
    @usableFromInline static let tables: [UInt32] = makeTables()

    /// The checksum of some bytes.
    public static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        tables.withUnsafeBufferPointer { table in
            var crc: UInt32 = 0xFFFF_FFFF
            var index = 0
            while index &+ 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
                let low = UInt32(truncatingIfNeeded: word) ^ crc
                let high = UInt32(truncatingIfNeeded: word &>> 32)
                crc =
                    table[1_792 &+ Int(low & 0xFF)] ^ table[1_536 &+ Int(low &>> 8 & 0xFF)]
                    ^ table[1_280 &+ Int(low &>> 16 & 0xFF)] ^ table[1_024 &+ Int(low &>> 24)]
                    ^ table[768 &+ Int(high & 0xFF)] ^ table[512 &+ Int(high &>> 8 & 0xFF)]
                    ^ table[256 &+ Int(high &>> 16 & 0xFF)] ^ table[Int(high &>> 24)]
                index &+= 8
            }
            while index < bytes.count {
                crc = table[Int((crc ^ UInt32(bytes[index])) & 0xFF)] ^ (crc &>> 8)
                index &+= 1
            }
            return ~crc
        }
    }

    private static func makeTables() -> [UInt32] {
        var tables = [UInt32](repeating: 0, count: 2_048)
        for byte in 0..<256 {
            var value = UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
            tables[byte] = value
        }
        for byte in 0..<256 {
            var value = tables[byte]
            for slice in 1..<8 {
                value = tables[Int(value & 0xFF)] ^ (value >> 8)
                tables[slice * 256 + byte] = value
            }
        }
        return tables
    }
}
