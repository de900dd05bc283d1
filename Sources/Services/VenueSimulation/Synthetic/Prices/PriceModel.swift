import Glibc

/// Prices of the whole synthetic market as functions of a seed and the time: the market's own path, one of
/// each asset, and of each instrument a mix of them.
///
/// What is worked out is kept, and a copy has its own.
struct PriceModel: Sendable {
    private let seed: UInt64
    private var factors: [PriceFactor]
    private var places: [String: Int] = [:]

    /// The market's own path, before any asset's.
    private static let market = 0

    init(seed: UInt64) {
        self.seed = seed
        factors = [
            PriceFactor(
                seed: SplitMix64.seed(seed, "everything"),
                PriceFactor.Character(volatility: 0.5, hasRegimes: true))
        ]
    }

    /// The path of one asset in another.
    ///
    /// - Parameters:
    ///   - base: What is priced.
    ///   - quote: In what.
    ///   - name: Of the market place: each has a price of its own, a little off.
    ///   - unit: What a price is counted in, such as a tick of 0.01.
    /// - Returns: The path that the model's seed gives it.
    mutating func path(
        of base: SyntheticAsset, in quote: SyntheticAsset, at name: String, unit: Double
    ) -> PricePath {
        var legs: [PricePath.Leg] = []
        var usual = 0.0
        let beta = base.beta - quote.beta
        if beta != 0 {
            legs.append(PricePath.Leg(place: Self.market, weight: beta))
            usual += beta * beta * 0.25
        }
        for (asset, weight) in [(base, 1.0), (quote, -1.0)] where asset.volatility > 0 {
            legs.append(PricePath.Leg(place: place(of: asset), weight: weight))
            usual += asset.volatility * asset.volatility
        }
        return PricePath(
            legs: legs, reference: log(base.dollars / quote.dollars / unit),
            seed: SplitMix64.seed(seed, name), usualVariance: usual / (365 * 24))
    }

    /// A mix of paths through one day, hour or minute, jumps included.
    mutating func stretch(_ grain: PathGrain, _ number: Int64, of path: PricePath) -> PathStretch {
        let first = number * grain.seconds * Int64(grain.parts)
        let day = PathGrain.dayNumber(of: first)
        var knots = (0...grain.parts).map { part in
            path.reference + path.premium(at: first + Int64(part) * grain.seconds)
        }
        var variances = [Double](repeating: 0, count: grain.parts)
        for leg in path.legs {
            let one = factors[leg.place].stretch(grain, number)
            for part in 0..<grain.parts { variances[part] += leg.weight * leg.weight * one.variances[part] }
            let hasJump = factors[leg.place].day(day).day.jump != 0
            for part in 0...grain.parts {
                let second = first + Int64(part) * grain.seconds
                let jump = hasJump ? factors[leg.place].jumped(at: second, on: day) : 0
                knots[part] += leg.weight * (one.knots[part] + jump)
            }
        }
        return PathStretch(knots: knots, variances: variances)
    }

    private mutating func place(of asset: SyntheticAsset) -> Int {
        if let known = places[asset.code] { return known }
        let isCurrency = asset.beta == 0
        let character = PriceFactor.Character(
            volatility: asset.volatility, jumpRate: isCurrency ? 0.002 : 0.012,
            jumpSize: isCurrency ? 2 : 3)
        factors.append(PriceFactor(seed: SplitMix64.seed(seed, asset.code), character))
        places[asset.code] = factors.count - 1
        return factors.count - 1
    }
}

extension SplitMix64 {
    /// A seed of what has a name.
    ///
    /// Source of the mixing: Fowler, Noll and Vo, FNV-1a.
    static func seed(_ seed: UInt64, _ name: String) -> UInt64 {
        var hash = seed ^ 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        var mixer = SplitMix64(seed: hash)
        return mixer.next()
    }
}
