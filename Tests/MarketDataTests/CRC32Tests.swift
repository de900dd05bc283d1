import MarketData
import Support
import Testing

@Suite("CRC-32")
struct CRC32Tests {
    @Test(
        "has the published values",
        arguments: [
            ("", 0), ("123456789", 0xCBF4_3926), ("a", 0xE8B7_BE43), ("abc", 0x3524_41C2),
            ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
        ] as [(String, UInt32)])
    func published(text: String, expected: UInt32) {
        #expect(Array(text.utf8).withUnsafeBytes(CRC32.checksum) == expected)
    }

    @Test("is what a bit at a time gives, at any length and alignment")
    func bitwise() {
        property { rng in
            let bytes = rng.bytes(0...100)
            let start = rng.int(0...min(9, bytes.count))
            let checksum = bytes.withUnsafeBytes {
                CRC32.checksum(UnsafeRawBufferPointer(rebasing: $0[start...]))
            }
            let expected = naive(bytes[start...])
            try #require(checksum == expected, "\(bytes.count - start) bytes from \(start)")
        }
    }

    @Test("of texts that are joined is that of the whole")
    func joined() {
        let joints = CRC32.Joints()
        property { rng in
            var whole: [UInt8] = []
            var register: UInt32 = 0xFFFF_FFFF
            for _ in 0..<rng.int(0...20) {
                let part = rng.bytes(0...CRC32.Joints.limit)
                whole += part
                let text = part.withUnsafeBytes { CRC32.register(after: $0, from: 0) }
                register = joints.register(register, then: text, length: part.count)
            }
            try #require(~register == whole.withUnsafeBytes(CRC32.checksum), "\(whole.count) bytes")
        }
    }

    private func naive(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }
}
