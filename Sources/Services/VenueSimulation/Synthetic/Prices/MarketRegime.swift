/// A time in which a market is of one mind.
enum MarketRegime: Sendable, CaseIterable {
    case calm
    case rising
    case falling
    case alarm

    /// How lively it is, where the usual is about 1.
    var liveliness: Double {
        switch self {
        case .calm: 0.65
        case .rising: 0.95
        case .falling: 1.25
        case .alarm: 2.1
        }
    }

    /// What a day adds to the logarithm of prices.
    var drift: Double {
        switch self {
        case .calm: 0
        case .rising: 0.004_5
        case .falling: -0.003
        case .alarm: -0.006
        }
    }

    /// The next day's: most days the same.
    func next(_ random: inout SplitMix64) -> MarketRegime {
        let draw = Int.random(in: 0..<1_000, using: &random)
        switch self {
        case .calm: return draw < 25 ? .rising : draw < 42 ? .falling : draw < 47 ? .alarm : .calm
        case .rising: return draw < 28 ? .calm : draw < 38 ? .falling : draw < 42 ? .alarm : .rising
        case .falling: return draw < 25 ? .calm : draw < 33 ? .rising : draw < 48 ? .alarm : .falling
        case .alarm: return draw < 90 ? .falling : draw < 150 ? .calm : draw < 175 ? .rising : .alarm
        }
    }
}
