/// Which addresses nothing may be sent to that a user asked for.
///
/// Sources: RELIABILITY.md 6.3; IANA's registries of special-purpose IPv4 and IPv6 addresses (RFC 6890);
/// RFC 6052 and RFC 8215 (NAT64), RFC 3056 (6to4), RFC 4380 (Teredo), RFC 5214 (ISATAP).
package enum AddressRule {
    /// Why an address is not to be connected to; `nil` for one of the public Internet.
    package static func refusal(of address: IPAddress) -> String? {
        if !address.isVersion6 { return version4.first { $0.contains(address.lastVersion4) }?.reason }
        if let block = version6.first(where: { $0.contains(address.bits) }) { return block.reason }
        // Only 2000::/3 is given out as global unicast.
        return address.bits >> 125 == 1 ? nil : "not a global address"
    }

    /// A block of version 4.
    private struct Block4 {
        var base: UInt32
        var length: UInt32
        var reason: String

        func contains(_ address: UInt32) -> Bool { (address ^ base) >> (32 - length) == 0 }
    }

    /// A block of version 6.
    private struct Block6 {
        var base: UInt128
        var length: UInt128
        var reason: String

        func contains(_ address: UInt128) -> Bool { (address ^ base) >> (128 - length) == 0 }
    }

    private static let version4: [Block4] = [
        Block4(base: 0xA9FE_A9FE, length: 32, reason: "metadata of a cloud"),
        Block4(base: 0x6464_64C8, length: 32, reason: "metadata of a cloud"),
        Block4(base: 0xA83F_8110, length: 32, reason: "metadata of a cloud"),
        Block4(base: 0x0000_0000, length: 8, reason: "unspecified"),
        Block4(base: 0x0A00_0000, length: 8, reason: "private"),
        Block4(base: 0x6440_0000, length: 10, reason: "shared by a carrier"),
        Block4(base: 0x7F00_0000, length: 8, reason: "loopback"),
        Block4(base: 0xA9FE_0000, length: 16, reason: "link-local"),
        Block4(base: 0xAC10_0000, length: 12, reason: "private"),
        Block4(base: 0xC000_0000, length: 24, reason: "of protocols"),
        Block4(base: 0xC000_0200, length: 24, reason: "documentation"),
        Block4(base: 0xC01F_C400, length: 24, reason: "anycast of AS112"),
        Block4(base: 0xC034_C100, length: 24, reason: "multicast relay"),
        Block4(base: 0xC058_6300, length: 24, reason: "6to4 relay"),
        Block4(base: 0xC0A8_0000, length: 16, reason: "private"),
        Block4(base: 0xC0AF_3000, length: 24, reason: "anycast of AS112"),
        Block4(base: 0xC612_0000, length: 15, reason: "benchmarks"),
        Block4(base: 0xC633_6400, length: 24, reason: "documentation"),
        Block4(base: 0xCB00_7100, length: 24, reason: "documentation"),
        Block4(base: 0xE000_0000, length: 4, reason: "multicast"),
        Block4(base: 0xF000_0000, length: 4, reason: "reserved or broadcast"),
    ]

    private static let version6: [Block6] = [
        block(0x0000_0000_0000_0000, 0, 128, "unspecified"),
        block(0x0000_0000_0000_0000, 1, 128, "loopback"),
        block(0x0000_0000_0000_0000, 0xFFFF_0000_0000, 96, "version 4 in version 6"),
        block(0x0000_0000_0000_0000, 0xFFFF_0000_0000_0000, 96, "version 4 in version 6"),
        block(0x0000_0000_0000_0000, 0, 96, "version 4 in version 6"),
        block(0x0064_FF9B_0000_0000, 0, 96, "version 4 behind NAT64"),
        block(0x0064_FF9B_0001_0000, 0, 48, "version 4 behind NAT64"),
        block(0x0100_0000_0000_0000, 0, 64, "discarded"),
        block(0x2001_0000_0000_0000, 0, 32, "Teredo tunnel"),
        block(0x2001_0000_0000_0000, 0, 23, "of protocols"),
        block(0x2001_0DB8_0000_0000, 0, 32, "documentation"),
        block(0x2002_0000_0000_0000, 0, 16, "6to4 tunnel"),
        block(0x2620_004F_8000_0000, 0, 48, "anycast of AS112"),
        block(0x3FFF_0000_0000_0000, 0, 20, "documentation"),
        block(0x5F00_0000_0000_0000, 0, 16, "segment routing"),
        block(0xFD00_0EC2_0000_0000, 0x254, 128, "metadata of a cloud"),
        block(0xFC00_0000_0000_0000, 0, 7, "private"),
        block(0xFE80_0000_0000_0000, 0, 10, "link-local"),
        block(0xFEC0_0000_0000_0000, 0, 10, "site-local"),
        block(0xFF00_0000_0000_0000, 0, 8, "multicast"),
    ]

    private static func block(_ high: UInt64, _ low: UInt64, _ length: UInt128, _ reason: String) -> Block6 {
        Block6(base: UInt128(high) << 64 | UInt128(low), length: length, reason: reason)
    }
}
