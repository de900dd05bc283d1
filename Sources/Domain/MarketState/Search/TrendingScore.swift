/// How much is going on with an instrument, 0...1,000, and why.
///
/// - growth g = 1,000·(V₁ − V₀) / V₀ in thousandths, where V₁ is the volume of the last 24 hours and V₀
///   that of the 24 hours before; volume part = 600·min(max(g, 0), 10,000) / 10,000, all of it when the
///   volume is eleven times as much.
/// - movement b = 10,000·|p₁ − p₀| / p₀ in basis points over the last 24 hours; movement part =
///   400·min(b, 5,000) / 5,000, all of it at 50 %.
///
/// Every quotient is cut towards zero. Without a volume or price to compare with, a part is 0: nothing is
/// guessed.
public struct TrendingScore: Hashable, Sendable {
    /// Growth of the volume in thousandths, −1,000 and more; `nil` when there was none to compare with.
    public let growth: Int64?
    /// Movement of the price in basis points with its sign; `nil` when there was none to compare with.
    public let movement: Int64?
    /// 0...600.
    public let volumePart: Int64
    /// 0...400.
    public let movementPart: Int64

    /// The sum of both parts.
    public var total: Int64 { volumePart + movementPart }

    /// Computes a score.
    ///
    /// - Parameters:
    ///   - volume: Of the last 24 hours, in any units, not negative.
    ///   - volumeBefore: Of the 24 hours before that, in the same units.
    ///   - open: The price 24 hours ago, in any units.
    ///   - last: The price now, in the same units.
    public init(volume: Int256, volumeBefore: Int256, open: Int64, last: Int64) {
        growth = TrendingScore.change(from: volumeBefore, to: volume, unit: 1_000)
        movement = TrendingScore.change(from: Int256(open), to: Int256(last), unit: 10_000)
        volumePart = 600 * min(max(growth ?? 0, 0), 10_000) / 10_000
        let size = Int64(clamping: (movement ?? 0).magnitude)
        movementPart = 400 * min(size, 5_000) / 5_000
    }

    /// unit·(to − from) / from towards zero; `nil` when `from` is not above zero.
    private static func change(from: Int256, to: Int256, unit: Int128) -> Int64? {
        guard !from.isZero, !from.isNegative else { return nil }
        var difference = to
        difference -= from
        let (scaled, overflow) = difference.multipliedReportingOverflow(by: unit)
        let quotient = scaled.quotientAndRemainder(dividingBy: from).quotient
        // What does not fit is far beyond what counts.
        return overflow ? .max : Int64(clamping: quotient.narrowed ?? .max)
    }

    /// The numbers of the highest scores, at most `limit`: the highest total first, of equal ones the lower
    /// number.
    public static func ranked(_ scores: [TrendingScore], limit: Int) -> [Int] {
        let sorted = scores.indices.sorted { (scores[$1].total, $0) < (scores[$0].total, $1) }
        return Array(sorted.prefix(max(limit, 0)))
    }
}
