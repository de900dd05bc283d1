/// An address of version 4 or 6, as 16 bytes; version 4 is kept in its mapped form `::ffff:a.b.c.d`.
package struct IPAddress: Hashable, Sendable {
    /// The bits, the first byte in the highest place.
    package let bits: UInt128
    /// Whether it was given as version 6.
    package let isVersion6: Bool

    private static let mapped: UInt128 = 0xFFFF << 32

    /// Takes 4 or 16 bytes in network order; `nil` for any other number of them.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        let value = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        isVersion6 = bytes.count == 16
        bits = isVersion6 ? value : value | IPAddress.mapped
    }

    /// Reads dotted decimal (four numbers, none with a leading zero) or the text of RFC 4291; no zone.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count <= 45 else { return nil }
        if !bytes.contains(0x3A) {
            guard let value = IPAddress.version4(bytes[...]) else { return nil }
            (bits, isVersion6) = (UInt128(value) | IPAddress.mapped, false)
        } else {
            guard let value = IPAddress.version6(bytes) else { return nil }
            (bits, isVersion6) = (value, true)
        }
    }

    /// The version 4 address in the last 32 bits.
    var lastVersion4: UInt32 { UInt32(truncatingIfNeeded: bits) }

    private static func version4(_ bytes: ArraySlice<UInt8>) -> UInt32? {
        let parts = bytes.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var value: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.count), part.allSatisfy({ (0x30...0x39).contains($0) }),
                part.count == 1 || part.first != 0x30,
                let number = UInt8(String(decoding: part, as: UTF8.self))
            else { return nil }
            value = value << 8 | UInt32(number)
        }
        return value
    }

    private static func version6(_ bytes: [UInt8]) -> UInt128? {
        let gap = bytes.indices.dropLast().first { bytes[$0] == 0x3A && bytes[$0 + 1] == 0x3A }
        guard let gap else {
            guard let groups = groups(bytes[...], isEnd: true), groups.count == 8 else { return nil }
            return joined(groups)
        }
        guard let head = groups(bytes[..<gap], isEnd: false),
            let tail = groups(bytes[(gap + 2)...], isEnd: true),
            head.count + tail.count < 8
        else { return nil }
        return joined(head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail)
    }

    private static func joined(_ groups: [UInt16]) -> UInt128 {
        groups.reduce(0) { $0 << 16 | UInt128($1) }
    }

    /// The groups of 16 bits; at the end of an address the last two may be written as version 4.
    private static func groups(_ bytes: ArraySlice<UInt8>, isEnd: Bool) -> [UInt16]? {
        guard !bytes.isEmpty else { return [] }
        var groups: [UInt16] = []
        let parts = bytes.split(separator: 0x3A, omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if isEnd, index == parts.count - 1, let address = version4(part) {
                groups += [UInt16(address >> 16), UInt16(truncatingIfNeeded: address)]
                continue
            }
            guard (1...4).contains(part.count), part.allSatisfy({ $0 != 0x2B && $0 != 0x2D }),
                let group = UInt16(String(decoding: part, as: UTF8.self), radix: 16)
            else { return nil }
            groups.append(group)
        }
        return groups.count <= 8 ? groups : nil
    }
}
