import Instruments
import MarketState
import MarketStore

/// What each coin cost and turned over when an hour began, and how it moved in the hour before: of all coins
/// by one measure, followed or not.
///
/// By ``TrendingScore``, of an hour: the price now and an hour ago; the volume of the hour and of a usual
/// one. What is heard is the turnover V₁ of 24 hours, and V₀ an hour ago. What fell out of it meanwhile
/// counts as a usual hour, V₀ / 24: so the hour's own is V₁ − V₀ · 23 / 24.
struct CoinHours: Sendable {
    private static let length: Int64 = 3_600_000_000_000
    /// What is noted later than this is not of the hour's begin, in nanoseconds: five minutes.
    private static let patience: Int64 = 300_000_000_000

    private struct Mark {
        var price: Amount
        /// In dollars, of 24 hours; zero where nobody says it.
        var turnover: Amount
    }

    /// None where nothing was heard when the hour began.
    private var marks: [Asset: Mark] = [:]
    /// Hours since the epoch, of the marks.
    private var hour: Int64?
    /// How each coin moved in the hour that ended last; `nil` before two hours in a row were heard.
    private(set) var scores: [Asset: TrendingScore]?

    /// The first instant of the hour that the scores are of.
    var scored: Timestamp? {
        guard scores != nil, let hour else { return nil }
        return Timestamp(nanoseconds: (hour - 1) * Self.length)
    }

    /// Whether an hour has begun of which nothing was noted.
    func isDue(at now: Timestamp) -> Bool { hour != Self.hour(of: now) }

    /// Notes the coins as they are when an hour has begun; later in it nothing changes.
    mutating func note(_ coins: [CoinBody], at now: Timestamp) {
        guard isDue(at: now), !coins.isEmpty else { return }
        let next = Self.hour(of: now)
        var (fresh, moved): ([Asset: Mark], [Asset: TrendingScore]) = ([:], [:])
        for coin in coins {
            guard let mark = Self.mark(of: coin), fresh[coin.row.asset] == nil else { continue }
            fresh[coin.row.asset] = mark
            moved[coin.row.asset] = marks[coin.row.asset].map { Self.score(from: $0, to: mark) }
        }
        // Of a longer or a shorter time than an hour nothing is said.
        let isPunctual = now.nanoseconds % Self.length < Self.patience
        scores = hour == next - 1 && isPunctual && !marks.isEmpty ? moved : nil
        (marks, hour) = (isPunctual ? fresh : [:], next)
    }

    private static func hour(of time: Timestamp) -> Int64 { time.nanoseconds / length }

    private static func mark(of coin: CoinBody) -> Mark? {
        guard let price = coin.price.flatMap({ try? Amount(parsing: $0) }), price > .zero else { return nil }
        return Mark(price: price, turnover: coin.volume ?? .zero)
    }

    private static func score(from before: Mark, to now: Mark) -> TrendingScore {
        let unit: Int64 = 1_000_000
        // A price that is a million times as much counts as that.
        let ratio = now.price.divided(by: before.price, places: 6) ?? Amount(units: 1)
        let last = Swift.min(ratio, Amount(units: unit)) * Amount(units: unit)
        // In dollars of which 24 are one.
        let own = now.turnover * Amount(units: 24) - before.turnover * Amount(units: 23)
        return TrendingScore(
            volume: Int256(Self.whole(own)), volumeBefore: Int256(Self.whole(before.turnover)), open: unit,
            last: Self.whole(last))
    }

    /// Without its fraction, within what there is room for; nothing below zero.
    private static func whole(_ amount: Amount) -> Int64 {
        let bounded = Swift.max(.zero, Swift.min(amount, Amount(units: 1_000_000_000_000_000_000)))
        return Int64(bounded.rounded(places: 0).text(places: 0)) ?? 0
    }
}
