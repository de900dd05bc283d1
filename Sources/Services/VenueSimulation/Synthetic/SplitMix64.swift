/// A small generator whose numbers depend on nothing but its seed.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed &>> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed &>> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed &>> 31
    }

    /// True in so many of a hundred cases.
    mutating func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    /// 0, 1, 2 …, each half as likely as the one before by `1 / oneIn`; at the most `limit`.
    mutating func rank(oneIn: Int, limit: Int) -> Int {
        var rank = 0
        while rank < limit, Int.random(in: 0..<oneIn, using: &self) != 0 { rank += 1 }
        return rank
    }
}
