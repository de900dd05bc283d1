public import Instruments

/// How much a price changed since another.
public struct PriceChange: Hashable, Sendable {
    /// The later less the earlier.
    public let difference: DecimalNumber
    /// The same in percent of the earlier, rounded half to even to four places, as day tickers tell it.
    public let percent: DecimalNumber

    /// `nil` where the earlier is not above zero, or the numbers do not fit 63 bits together.
    public init?(from earlier: DecimalNumber, to later: DecimalNumber) {
        let scale = max(earlier.scale, later.scale)
        guard let before = try? earlier.rescaled(to: scale).units,
            let now = try? later.rescaled(to: scale).units, before > 0
        else { return nil }
        let (units, overflow) = now.subtractingReportingOverflow(before)
        let ratio = ExactRatio(Int256(Int128(units) * 100), over: Int256(Int128(before)))
        guard !overflow, let percent = Scale(4).flatMap({ ratio.rounded(to: $0) }) else { return nil }
        difference = DecimalNumber(units: units, scale: scale).normalized
        self.percent = percent.normalized
    }
}
