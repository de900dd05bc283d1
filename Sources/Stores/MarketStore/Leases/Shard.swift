package import Instruments

/// One of the 256 parts that all instruments are divided into, for instances to share.
///
/// The part of an instrument never changes: it is the first byte of its hash, see ``StableHash``.
package struct Shard: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// 0...255.
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The part that an instrument belongs to.
    package init(of instrument: InstrumentID) {
        rawValue = UInt8(truncatingIfNeeded: StableHash.of(instrument.description) >> 56)
    }

    /// All of them.
    package static let all = (UInt8.min...UInt8.max).map { Shard(rawValue: $0) }

    /// The number.
    package var description: String { "\(rawValue)" }

    /// Orders by number.
    package static func < (left: Shard, right: Shard) -> Bool { left.rawValue < right.rawValue }
}

/// A hash that is the same in every process, on every machine and in every version.
///
/// FNV-1a of 64 bits over the UTF-8 bytes, then the finalizer of SplitMix64, because FNV alone leaves the
/// upper bits of similar short texts similar.
///
/// Source: Fowler, Noll and Vo, IETF draft-eastlake-fnv (2019), section 2; Steele, Lea and Flood, "Fast
/// Splittable Pseudorandom Number Generators", OOPSLA 2014.
package enum StableHash {
    /// The hash of a text.
    package static func of(_ text: String) -> UInt64 { mix(fnv1a(text.utf8)) }

    static func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
