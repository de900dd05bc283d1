/// A step by which a path is filled in: the hours of a day, the minutes of an hour, the seconds of a minute.
enum PathGrain: UInt64, Hashable, Sendable {
    case hours = 1
    case minutes
    case seconds

    /// The step before it, whose parts it fills in; `nil` for the first.
    var outer: PathGrain? {
        switch self {
        case .hours: nil
        case .minutes: .hours
        case .seconds: .minutes
        }
    }

    /// Into how many parts it divides.
    var parts: Int { self == .hours ? 24 : 60 }

    /// Seconds of one part.
    var seconds: Int64 {
        switch self {
        case .hours: 3_600
        case .minutes: 60
        case .seconds: 1
        }
    }

    /// What it adds to a seed.
    var salt: UInt64 { rawValue &* 0xA076_1D64_78BD_642F }

    /// What it divides, in the number of which a second lies.
    func number(of second: Int64) -> Int64 { Self.floor(second, seconds * Int64(parts)) }

    /// The day of a second, in days since 1970.
    static func dayNumber(of second: Int64) -> Int64 { floor(second, 86_400) }

    static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }

    /// Divides a variance among the parts: quiet nights of London and New York, and chance.
    func split(_ variance: Double, _ random: inout SplitMix64) -> [Double] {
        var weights: [Double] = []
        weights.reserveCapacity(parts)
        var sum = 0.0
        for part in 0..<parts {
            let season = self == .hours ? Self.season[part] : 1
            let weight = season * (0.4 + 1.2 * random.fraction())
            weights.append(weight)
            sum += weight
        }
        let unit = variance / sum
        for part in 0..<parts { weights[part] *= unit }
        return weights
    }

    /// How lively each hour of UTC is.
    static let season: [Double] = [
        0.9, 0.95, 0.85, 0.75, 0.7, 0.7, 0.75, 0.9, 1, 0.95, 0.9, 0.95, 1.1, 1.45, 1.6, 1.5, 1.35, 1.2, 1.1,
        1.05, 1, 0.95, 0.85, 0.85,
    ]
}
