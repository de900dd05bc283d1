import Instruments
public import JSON

extension Bitpal_V1_PortfolioValuation {
    /// Writes the valuation as one object; what nobody knows is null.
    ///
    /// - Parameters:
    ///   - name: The portfolio's, as its owner calls it.
    ///   - line: Gets the object.
    public func write(named name: String, to line: inout JSONWriter) {
        func known(_ text: String) -> String? { text.isEmpty ? nil : text }
        line.beginObject()
        line.text("portfolio", name)
        line.text("id", portfolio)
        line.text("base", base)
        line.text("time", Timestamp(nanoseconds: timeUnixNanos).iso8601(fractionDigits: 9))
        line.key("change")
        line.integer(change)
        line.pair("value", known(value))
        line.pair("known_value", known(knownValue))
        line.list("positions", positions) { position, line in
            line.text("asset", position.asset)
            line.text("amount", position.amount)
            line.pair("price", known(position.price))
            let time = Timestamp(nanoseconds: position.priceTimeUnixNanos)
            // The base currency's own price is of no time.
            let isTimed = !position.price.isEmpty && position.priceTimeUnixNanos != 0
            line.pair("price_time", isTimed ? time.iso8601(fractionDigits: 9) : nil)
            line.pair("source", known(position.source))
            line.pair("value", known(position.value))
            line.pair("stale", known(position.stale))
        }
        line.texts("missing", missing)
        line.texts("stale", stale)
        line.endObject()
    }
}

extension Bitpal_V1_PortfolioValuation {
    /// The positions whose price is of now.
    public var freshPositions: [Bitpal_V1_PortfolioPosition] {
        positions.filter { !$0.price.isEmpty && $0.stale.isEmpty && $0.asset != base }
    }
}
