import Instruments
import JSON
import MarketData

/// A book as one JSON object.
enum BookJSON {
    static func write(_ view: BookView, to line: inout JSONWriter) {
        let levels = view.range.levels(of: view.book)
        line.beginObject()
        line.key("venue")
        line.string(view.instrument.venue.rawValue)
        line.key("symbol")
        line.string(view.instrument.symbol)
        line.key("state")
        line.string(view.state.name)
        line.key("reason")
        line.string(view.reason.name)
        line.key("detail")
        line.string(view.detail)
        line.key("connection")
        line.string(view.connection.rawValue)
        line.key("sequence")
        if let position = view.position { line.integer(position.sequence) } else { line.null() }
        line.key("epoch")
        line.string(view.position.map { String($0.epoch) })
        line.key("producer")
        line.string(view.position?.producer)
        line.key("venue_time")
        line.string(view.venueTime?.iso8601)
        line.key("received_time")
        line.string(view.receivedTime?.iso8601)
        line.key("bid_levels")
        line.integer(view.book.bidCount)
        line.key("ask_levels")
        line.integer(view.book.askCount)
        write("bids", levels.bids, view.book, to: &line)
        write("asks", levels.asks, view.book, to: &line)
        line.endObject()
        line.endLine()
    }

    private static func write(_ name: String, _ levels: [BookLevel], _ book: Book, to line: inout JSONWriter)
    {
        line.key(name)
        line.beginArray()
        for level in levels {
            line.beginArray()
            line.decimal(level.price.rawValue, book.priceScale)
            line.decimal(level.size.rawValue, book.sizeScale)
            line.endArray()
        }
        line.endArray()
    }
}
