import Channels

/// The proxies in front whose word about a client's address is believed, by their addresses and ranges of
/// them.
package struct TrustedProxies: ExpressibleByArrayLiteral, Hashable, Sendable {
    /// All addresses that begin with the same bits (RFC 4632, RFC 4291).
    private struct AddressRange: Hashable, Sendable {
        /// The first one; of version 4 in its form within version 6, so that a peer is the same in both.
        var first: UInt128
        /// How many bits are the same, 0...128.
        var length: Int

        func contains(_ bits: UInt128) -> Bool { (bits ^ first) >> (128 - length) == 0 }

        /// Whether nothing is set behind the bits that are the same.
        var beginsAtFirst: Bool { first & ((UInt128(1) << (128 - length)) &- 1) == 0 }

        /// How many addresses of another range it has.
        func count(in whole: AddressRange) -> UInt128 {
            guard contains(whole.first) || whole.contains(first) else { return 0 }
            return 1 << (128 - max(length, whole.length))
        }

        func contains(_ other: AddressRange) -> Bool { length <= other.length && contains(other.first) }
    }

    /// From whose addresses strangers come: version 4, and of version 6 what is global unicast (RFC 4291).
    private static let everybody = [
        AddressRange(first: 0xFFFF << 32, length: 96), AddressRange(first: 0x2000 << 112, length: 3),
    ]

    /// None within another.
    private var ranges: [AddressRange] = []

    package init() {}

    /// Trusts addresses and ranges that are known to be some.
    package init(arrayLiteral elements: String...) {
        for text in elements {
            let isAdded = add(text)
            precondition(isAdded, "\(text) is no range of addresses")
        }
    }

    /// Whether nobody is trusted.
    package var isEmpty: Bool { ranges.isEmpty }

    /// Trusts an address, `10.0.0.5`, or a range, `172.16.0.0/12`; false for a text that is neither.
    ///
    /// Refused as well: a range that does not begin at its first address, which is more often a slip than
    /// meant, and one with which, together with those before it, more than half of all addresses would be
    /// trusted: a client could then say that it was any other.
    package mutating func add(_ text: String) -> Bool {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(parts[0]) else { return false }
        let width = address.isVersion6 ? 128 : 32
        var length = width
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let given = Int(parts[1]),
                given <= width
            else { return false }
            length = given
        }
        let range = AddressRange(first: address.bits, length: length + 128 - width)
        guard range.beginsAtFirst else { return false }
        guard !ranges.contains(where: { $0.contains(range) }) else { return true }
        let union = ranges.filter { !range.contains($0) } + [range]
        let isBounded = Self.everybody.allSatisfy { whole in
            union.reduce(0) { $0 + $1.count(in: whole) } <= whole.count(in: whole) / 2
        }
        if isBounded { ranges = union }
        return isBounded
    }

    /// Whether an address, as text without a port, is one of a trusted proxy.
    func contains(_ text: String) -> Bool {
        // A zone, as in fe80::1%eth0, names the machine's own interface.
        guard let address = IPAddress(text.prefix { $0 != "%" }) else { return false }
        return ranges.contains { $0.contains(address.bits) }
    }
}
