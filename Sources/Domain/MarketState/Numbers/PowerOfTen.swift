/// Powers of ten in 128 bits.
enum PowerOfTen {
    /// The highest exponent whose power fits Int128.
    static let highest = 38

    /// 10^exponent for 0...38.
    static func int128(_ exponent: Int) -> Int128 { powers[exponent] }

    private static let powers: [Int128] = {
        var powers: [Int128] = [1]
        for exponent in 0..<highest { powers.append(powers[exponent] * 10) }
        return powers
    }()
}
