import Instruments

/// Values of indicators as text: binary fractions, which are told to the digits that mean something.
enum IndicatorText {
    /// What a binary fraction of 64 bits surely holds: 15 digits.
    private static let bound = 1e15

    /// A value, rounded half away from zero.
    ///
    /// - Parameters:
    ///   - value: What was computed.
    ///   - places: Decimal places, fewer where there are more than 15 digits in all.
    /// - Returns: Without zeros at the end.
    static func text(_ value: Double, places: Int) -> String {
        var places = min(max(places, 0), Scale.maximum.places)
        func units() -> Double { value * (0..<places).reduce(1.0) { power, _ in power * 10 } }
        while places > 0, abs(units()) >= bound { places -= 1 }
        // Volumes of a coin that is worth next to nothing may be larger than any scale.
        guard let scale = Scale(places), let whole = Int64(exactly: units().rounded()) else {
            return "\(value)"
        }
        return DecimalNumber(units: whole, scale: scale).normalized.description
    }

    /// Four places more than what the indicator is made of has: prices, or amounts.
    static func places(_ instrument: Instrument, isOfVolumes: Bool) -> Int {
        (isOfVolumes ? instrument.sizeScale : instrument.priceScale).places + 4
    }
}
