import Instruments

// The same name is another instrument in each category.

extension BybitSession {
    /// What a symbol of a category is called here: the symbol alone, unless a recording holds several
    /// categories; then the category before it, `linear:BTCUSDT`.
    func name(_ symbol: String, of category: BybitCategory?) -> String {
        guard let category, isMixed else { return symbol }
        return "\(category.rawValue):\(symbol)"
    }

    /// Whether a recording holds several categories.
    private var isMixed: Bool {
        Set(recordedCategories.values).count > 1
    }

    /// The index of a symbol in a message of a connection, with the extras that belong to it.
    @inline(__always)
    mutating func instrument(_ symbol: UnsafeRawBufferPointer, on connection: Int) -> InstrumentIndex? {
        let index =
            recordedCategories.count > 1 ? namedInstrument(symbol, on: connection) : core.instrument(symbol)
        if extras.count < core.trackers.count { grow() }
        return index
    }

    @inline(never)
    private mutating func namedInstrument(
        _ symbol: UnsafeRawBufferPointer, on connection: Int
    ) -> InstrumentIndex? {
        guard let text = String(validating: symbol, as: UTF8.self) else { return nil }
        var name = name(text, of: recordedCategories[connection])
        return name.withUTF8 { core.instrument(UnsafeRawBufferPointer($0)) }
    }
}
