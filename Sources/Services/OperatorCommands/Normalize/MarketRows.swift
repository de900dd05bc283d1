import Instruments
import JSON
import MarketData
import Recordings
import Venues

/// Writes market events as rows of JSON, with the keys of the recordings' expected results.
struct MarketRows {
    /// The row that was written last, with its line end.
    private(set) var line = JSONWriter()
    private let venue: Venue
    private var updates: [Int] = []

    init(venue: Venue) { self.venue = venue }

    /// `[symbol, update number, received_at, "S"|"D", bid, bid size, ask, ask size, bid levels, ask levels]`.
    mutating func top(_ event: BookEvent, _ symbol: String, _ wording: VenueWording) {
        let offset = event.instrument.offset
        while updates.count <= offset { updates.append(0) }
        updates[offset] += 1
        line.removeAll()
        line.beginArray()
        line.string(symbol)
        line.integer(updates[offset])
        line.seconds(event.receivedTime)
        line.string(event.isSnapshot ? "S" : "D")
        for level in [event.summary.bid, event.summary.ask] {
            price(level?.price, event.priceScale, wording)
            size(level?.size, event.sizeScale, wording)
        }
        line.integer(event.summary.bidCount)
        line.integer(event.summary.askCount)
        line.endArray()
        line.endLine()
    }

    mutating func trade(_ trade: Trade, _ symbol: String, _ wording: VenueWording) {
        begin(symbol)
        line.key("id")
        line.string(wording.id(trade.id))
        line.key("side")
        line.string(trade.side.name)
        line.key("price")
        price(trade.price, trade.priceScale, wording)
        line.key("amount")
        size(trade.size, trade.sizeScale, wording)
        line.key("ts")
        line.string(wording.text(trade.venueTime))
        line.key("received_at")
        line.seconds(trade.receivedTime)
        end(trade.venueTime)
    }

    mutating func ticker(_ ticker: Ticker, _ symbol: String, _ wording: VenueWording) {
        begin(symbol)
        line.key("bid")
        price(ticker.bidPrice, ticker.priceScale, wording)
        line.key("bid_size")
        size(ticker.bidSize, ticker.sizeScale, wording)
        line.key("ask")
        price(ticker.askPrice, ticker.priceScale, wording)
        line.key("ask_size")
        size(ticker.askSize, ticker.sizeScale, wording)
        line.key("ts")
        line.string(ticker.venueTime.map(wording.text))
        line.key("received_at")
        line.seconds(ticker.receivedTime)
        if let updateID = ticker.updateID {
            line.key("u")
            line.string(String(updateID))
        }
        end(ticker.venueTime)
    }

    mutating func candle(_ candle: VenueCandle, _ symbol: String, _ wording: VenueWording) {
        begin(symbol)
        line.key("start")
        line.string(wording.text(candle.start))
        line.key("stop")
        line.string(wording.text(candle.stop))
        line.key("interval")
        line.string(candle.interval)
        for (name, value) in [("o", candle.open), ("h", candle.high), ("l", candle.low), ("c", candle.close)]
        {
            line.key(name)
            price(value, candle.priceScale, wording)
        }
        line.key("v")
        size(candle.volume, candle.sizeScale, wording)
        line.key("n")
        line.string(String(candle.tradeCount))
        line.key("closed")
        line.bool(candle.isClosed)
        line.key("received_at")
        line.seconds(candle.receivedTime)
        end(candle.venueTime)
    }

    private mutating func begin(_ symbol: String) {
        line.removeAll()
        line.beginObject()
        line.key("symbol")
        line.string(symbol)
    }

    private mutating func end(_ time: Timestamp?) {
        line.key("venue")
        line.string(venue.rawValue)
        line.key("time")
        line.string(time?.iso8601)
        line.endObject()
        line.endLine()
    }

    private mutating func price(_ price: Price?, _ scale: Scale, _ wording: VenueWording) {
        guard let price else { return line.null() }
        let number = wording.number(price.rawValue, scale)
        line.decimal(number.units, number.scale)
    }

    private mutating func size(_ size: Quantity?, _ scale: Scale, _ wording: VenueWording) {
        guard let size else { return line.null() }
        let number = wording.number(size.rawValue, scale)
        line.decimal(number.units, number.scale)
    }
}

extension JSONWriter {
    /// Seconds since 1970 as a decimal string, without trailing zeros.
    mutating func seconds(_ time: Timestamp) {
        let number = DecimalNumber(units: time.nanoseconds, scale: Scale(9) ?? .zero).normalized
        decimal(number.units, number.scale)
    }
}
