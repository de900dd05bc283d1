extension SplitMix64 {
    /// A generator of a place: what is drawn there depends on nothing that was drawn elsewhere.
    init(seed: UInt64, at place: Int64) {
        var mixer = SplitMix64(seed: seed ^ UInt64(bitPattern: place) &* 0xD6E8_FEB8_6659_FD93)
        self.init(seed: mixer.next())
    }

    /// Between 0 and 1, neither of them itself.
    mutating func fraction() -> Double { (Double(next() &>> 12) + 0.5) * 0x1p-52 }

    /// Mean 0 and deviation 1, nearly normal: the sum of four even numbers, never beyond 3.5.
    ///
    /// Without logarithm and cosine, since histories are made of millions of them. Great moves come from
    /// volatility that clusters and from jumps, not from here.
    mutating func deviate() -> Double {
        let bits = next()
        let sum = (bits & 0xFFFF) &+ (bits &>> 16 & 0xFFFF) &+ (bits &>> 32 & 0xFFFF) &+ (bits &>> 48)
        // The variance of the sum is a third of the square of 65,536.
        return (Double(sum) - 131_070) * (1.732_050_807_568_877 / 65_536)
    }
}
