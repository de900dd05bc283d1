import Instruments
import JSON
import MarketData
import Shapes
import Venues

/// Writes market events as rows of JSON, with the keys of the recordings' expected results.
struct MarketRows {
    /// The row that was written last, with its line end.
    // tidy: hand-made-json A top is an array, and one writer serves the millions of rows of a recording.
    private(set) var line = JSONWriter()
    private var updates: [Int] = []

    mutating func write(_ row: some WireValue) {
        line.removeAll()
        row.write(to: &line)
        line.endLine()
    }

    /// `[symbol, update number, received_at, "S"|"D", bid, bid size, ask, ask size, bid levels, ask levels]`.
    mutating func top(_ event: BookEvent, _ symbol: String, _ wording: VenueWording) {
        let offset = event.instrument.offset
        while updates.count <= offset { updates.append(0) }
        updates[offset] += 1
        line.removeAll()
        line.beginArray()
        line.string(symbol)
        line.integer(updates[offset])
        event.receivedTime.seconds.write(to: &line)
        line.string(event.isSnapshot ? "S" : "D")
        for level in [event.summary.bid, event.summary.ask] {
            wording.number(level?.price.rawValue, event.priceScale).write(to: &line)
            wording.number(level?.size.rawValue, event.sizeScale).write(to: &line)
        }
        line.integer(event.summary.bidCount)
        line.integer(event.summary.askCount)
        line.endArray()
        line.endLine()
    }
}

/// Whose a row is, and how its venue writes.
struct RowOrigin {
    var venue: Venue
    /// In the venue's spelling.
    var symbol: String
    var wording: VenueWording
}

/// A public execution.
struct TapeTradeRow: WireBody {
    static let shape = BodyShape<TapeTradeRow>("NormalizedTrade") {
        Field("symbol", \.origin.symbol, "In the venue's spelling.", example: "BTC/USD")
        Field("id", { $0.origin.wording.id($0.trade.id) }, "Null where the venue names no trades.")
        Field("side", \.trade.side.name, "What the taker did.", as: .words(Side.allCases.map(\.name)))
        Field("price", { $0.origin.wording.number($0.trade.price.rawValue, $0.trade.priceScale) })
        Field("amount", { $0.origin.wording.number($0.trade.size.rawValue, $0.trade.sizeScale) })
        Field("ts", { $0.origin.wording.tradeText($0.trade.venueTime) }, "As the venue writes it.")
        Field(ifPresent: "maker_side", \.makerSide, "What the maker did, where the venue says that.")
        Field("received_at", \.trade.receivedTime.seconds, "Seconds since 1970.")
        Field("venue", \.origin.venue.rawValue, example: .venue)
        Field("time", \.trade.venueTime.iso8601, "The same as ts.", as: .time)
    }

    let trade: Trade
    let origin: RowOrigin

    private var makerSide: String? {
        guard origin.wording.saysMakers else { return nil }
        return (trade.side == .buy ? Side.sell : .buy).name
    }
}

/// Best bid and ask as the venue says.
struct TickerRow: WireBody {
    static let shape = BodyShape<TickerRow>("NormalizedTicker") {
        Field("symbol", \.origin.symbol, "In the venue's spelling.", example: "BTC/USD")
        Field("bid", { $0.price($0.ticker.bidPrice) }, as: .nullable(.decimal))
        Field("bid_size", { $0.size($0.ticker.bidSize) }, as: .nullable(.decimal))
        Field("ask", { $0.price($0.ticker.askPrice) }, as: .nullable(.decimal))
        Field("ask_size", { $0.size($0.ticker.askSize) }, as: .nullable(.decimal))
        Field("ts", { $0.ticker.venueTime.map($0.origin.wording.text) }, "As the venue writes it.")
        Field("received_at", \.ticker.receivedTime.seconds, "Seconds since 1970.")
        Field(ifPresent: "u", { $0.ticker.updateID.map { String($0) } }, "The venue's number of it.")
        Field("venue", \.origin.venue.rawValue, example: .venue)
        Field("time", \.ticker.venueTime?.iso8601, "The same as ts.", as: .nullable(.time))
    }

    let ticker: Ticker
    let origin: RowOrigin

    private func price(_ price: Price?) -> DecimalNumber? {
        origin.wording.number(price?.rawValue, ticker.priceScale)
    }

    private func size(_ size: Quantity?) -> DecimalNumber? {
        origin.wording.number(size?.rawValue, ticker.sizeScale)
    }
}

/// A candle as the venue says.
struct VenueCandleRow: WireBody {
    static let shape = BodyShape<VenueCandleRow>("NormalizedCandle") {
        Field("symbol", \.origin.symbol, "In the venue's spelling.", example: "BTC/USD")
        Field("start", { $0.origin.wording.candleText($0.candle.start) }, "As the venue writes it.")
        Field("stop", { $0.origin.wording.candleText($0.candle.stop) }, "As the venue writes it.")
        Field("interval", \.candle.interval, example: "1m")
        Field("o", { $0.price($0.candle.open) })
        Field("h", { $0.price($0.candle.high) })
        Field("l", { $0.price($0.candle.low) })
        Field("c", { $0.price($0.candle.close) })
        Field("v", { $0.origin.wording.number($0.candle.volume.rawValue, $0.candle.sizeScale) })
        Field("n", \.count, "Trades; the candle's name where the venue has one instead.", example: "240")
        Field(ifPresent: "t", \.namedStart, "The same as start, where candles have names.")
        Field("closed", \.candle.isClosed, "Whether its time is over.", example: true)
        Field("received_at", \.candle.receivedTime.seconds, "Seconds since 1970.")
        Field("venue", \.origin.venue.rawValue, example: .venue)
        Field("time", \.candle.venueTime.iso8601, as: .time)
    }

    let candle: VenueCandle
    let origin: RowOrigin

    private var count: String {
        origin.wording.namesCandles ? "\(candle.interval)_\(origin.symbol)" : String(candle.tradeCount)
    }

    private var namedStart: String? {
        origin.wording.namesCandles ? origin.wording.text(candle.start) : nil
    }

    private func price(_ price: Price) -> DecimalNumber {
        origin.wording.number(price.rawValue, candle.priceScale)
    }
}

extension VenueWording {
    fileprivate func number(_ units: Int64?, _ scale: Scale) -> DecimalNumber? {
        units.map { number($0, scale) }
    }
}

extension Timestamp {
    /// Seconds since 1970 without trailing zeros.
    fileprivate var seconds: DecimalNumber {
        DecimalNumber(units: nanoseconds, scale: Scale(9) ?? .zero).normalized
    }
}
