/// CRC-32 as of ISO 3309 and zlib (reflected polynomial 0xEDB88320), eight bytes a step.
///
/// Source: ITU-T V.42, 8.1.1.6.2; tables after the "slicing-by-8" method, Intel, 2006.
public struct CRC32: Sendable {
    @usableFromInline static let tables: [UInt32] = makeTables()

    /// The checksum of some bytes.
    public static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        ~register(after: bytes, from: 0xFFFF_FFFF)
    }

    /// The register after some bytes; a checksum is the complement of it, from a register of ones.
    public static func register(after bytes: UnsafeRawBufferPointer, from start: UInt32) -> UInt32 {
        tables.withUnsafeBufferPointer { table in
            var crc = start
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
            return crc
        }
    }

    /// Joins the checksums of short texts without their bytes.
    ///
    /// The register is linear: after two texts it is the one after the first, moved on by as many zero bytes
    /// as the second has, and the second's from a register of zeros, combined by exclusive or. A move is
    /// linear too: a table of each length has the move of each of the register's eight half bytes.
    public struct Joints: Sendable {
        /// The longest text that can be joined, in bytes.
        public static let limit = 40

        private static let moves = makeMoves()
        private let moves = Joints.moves

        /// The tables, made once a process.
        public init() {}

        /// The register after a text whose register from zeros is known.
        ///
        /// - Precondition: `length <= Joints.limit`.
        @inline(__always)
        public func register(_ register: UInt32, then text: UInt32, length: Int) -> UInt32 {
            precondition(length >= 0 && length <= Joints.limit, "a text longer than the tables are for")
            return moves.withUnsafeBufferPointer { moves in
                // SAFETY: every length up to the limit has 128 entries.
                let move = moves.baseAddress.unsafelyUnwrapped + length &* 128
                return move[Int(register & 0xF)] ^ move[16 &+ Int(register &>> 4 & 0xF)]
                    ^ move[32 &+ Int(register &>> 8 & 0xF)] ^ move[48 &+ Int(register &>> 12 & 0xF)]
                    ^ move[64 &+ Int(register &>> 16 & 0xF)] ^ move[80 &+ Int(register &>> 20 & 0xF)]
                    ^ move[96 &+ Int(register &>> 24 & 0xF)] ^ move[112 &+ Int(register &>> 28)] ^ text
            }
        }

        private static func makeMoves() -> [UInt32] {
            var moves: [UInt32] = []
            moves.reserveCapacity((limit + 1) * 128)
            for part in 0..<8 { for value in 0..<16 { moves.append(UInt32(value) << UInt32(4 * part)) } }
            for entry in 0..<limit * 128 {
                moves.append(tables[Int(moves[entry] & 0xFF)] ^ (moves[entry] >> 8))
            }
            return moves
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
