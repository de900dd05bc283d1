public import Instruments
public import MarketData

/// Which figure of a derivative's state, besides its prices.
public enum DerivativeMeasure: String, Hashable, Sendable, CaseIterable {
    /// The funding rate in percent of a position's value, for one interval.
    case funding
    /// What is open, in the unit in which the venue says it.
    case openInterest = "open_interest"
}

extension DerivativeTicker {
    /// A figure as rules look at it; `nil` where the venue has not said it.
    public func value(_ measure: DerivativeMeasure) -> DecimalNumber? {
        switch measure {
        case .openInterest: openInterest
        case .funding: fundingRate.flatMap(\.inPercent)
        }
    }
}

extension DecimalNumber {
    /// A fraction in hundredths; `nil` where that is out of range.
    fileprivate var inPercent: DecimalNumber? {
        if let coarser = Scale(scale.places - 2) { return DecimalNumber(units: units, scale: coarser) }
        let (product, overflow) = units.multipliedReportingOverflow(by: scale.places == 1 ? 10 : 100)
        return overflow ? nil : DecimalNumber(units: product, scale: .zero)
    }
}
