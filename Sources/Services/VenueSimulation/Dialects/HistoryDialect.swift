import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// A dialect of trees whose venue gives past trades and candles by REST.
///
/// A candle that is open is left out: a client that goes by the time of day would take one of an old
/// recording for final.
protocol HistoryDialect: TreeDialect {
    /// Which trades a request is about; `nil` for other requests.
    func tradeQuery(of address: RequestAddress) -> TradeQuery?
    /// The trades of a recorded message, oldest first, as rows of the route.
    func trades(in message: JSONValue, of symbol: String) -> [TradeRow]
    /// Which candles a request is about; `nil` for other requests, and for lengths that the venue has not.
    func candleQuery(of address: RequestAddress) -> CandleQuery?
    /// A candle as a row of the route.
    func row(of candle: Candle) -> [UInt8]
    /// An answer of such rows, in their order.
    func answer(_ rows: [[UInt8]], about symbol: String) -> [UInt8]
    /// Levels a side that a request for a book asks for; 0 is the whole book.
    func levels(of address: RequestAddress) -> Int
    /// The answer to a request that needs no state, of a route that only this venue has.
    func ownAnswer(to address: RequestAddress) -> RESTAnswer?
}

/// A trade of a recorded message.
struct TradeRow: Hashable, Sendable {
    var time: Timestamp
    var row: [UInt8]
}

extension HistoryDialect {
    func levels(of address: RequestAddress) -> Int { Int(clamping: max(address.integer("limit") ?? 0, 0)) }

    func ownAnswer(to address: RequestAddress) -> RESTAnswer? { nil }

    func answer(_ rows: [[UInt8]], about symbol: String) -> [UInt8] { JSONWriter.rows(rows) }

    func question(_ address: RequestAddress, symbols: [String]) -> Question {
        if let answer = ownAnswer(to: address) { return .settled(answer) }
        if address.path.hasSuffix(description.instrumentList) { return .instruments }
        if let symbol = bookSymbol(of: address), symbols.contains(symbol) {
            return .book(symbol: symbol, limit: levels(of: address))
        }
        if let query = tradeQuery(of: address), symbols.contains(query.symbol) { return .trades(query) }
        if let query = candleQuery(of: address), symbols.contains(query.symbol) { return .candles(query) }
        return .settled(notFound())
    }

    func restTrades(_ frames: some Sequence<[UInt8]>, _ query: TradeQuery) -> [UInt8] {
        let messages = frames.compactMap { JSONValue(message: $0) }
        var wanted = messages.flatMap { trades(in: $0, of: query.symbol) }
        if let start = query.start { wanted.removeAll { $0.time < start } }
        if let end = query.end { wanted.removeAll { $0.time > end } }
        let isForward = query.start != nil && !query.isReversed
        let page = (isForward ? wanted.prefix(query.limit) : wanted.suffix(query.limit)).map(\.row)
        return answer(query.isReversed ? page.reversed() : page, about: query.symbol)
    }

    func restCandles(
        _ candles: [Candle], recorded: [Timestamp: RecordedCandle], _ query: CandleQuery
    ) -> [UInt8] { answer(page(candles, query), about: query.symbol) }

    /// The rows that a query asks for, in its order.
    func page(_ candles: [Candle], _ query: CandleQuery) -> [[UInt8]] {
        let wanted = candles.filter { $0.flags.contains(.closed) && query.contains($0.start) }
        let page = (query.takesNewest ? wanted.suffix(query.limit) : wanted.prefix(query.limit)).map(row)
        return query.isReversed ? page.reversed() : page
    }
}

extension CandleInterval {
    /// Its name as a number of minutes, hours or days, of which a venue names each unit.
    func name(minutes: String, hours: String, days: String) -> String {
        switch seconds {
        case 86_400...: "\(seconds / 86_400)\(days)"
        case 3_600...: "\(seconds / 3_600)\(hours)"
        default: "\(seconds / 60)\(minutes)"
        }
    }

    /// The length of such a name; not of seconds and of weeks, which venues begin on different days.
    static func named(_ text: String?, _ name: (CandleInterval) -> String) -> CandleInterval? {
        allCases.first { $0 >= .minute && $0 < .week && name($0) == text }
    }
}

extension ReferenceBook {
    /// Rows of a price and a size in quotes, best first, of so many levels at the most; 0 is all.
    func rows(_ side: BookSide, _ limit: Int) -> [[UInt8]] {
        levels(side, limit).map { level in
            JSONWriter.rows { writer in
                writer.decimal(level.price.rawValue, book.priceScale)
                writer.decimal(level.size.rawValue, book.sizeScale)
            }
        }
    }

    /// The best levels of a side; 0 is all.
    func levels(_ side: BookSide, _ limit: Int) -> [BookLevel] { top(limit == 0 ? .max : limit).levels(side) }
}

extension JSONWriter {
    /// Writes a member that is a list of what is JSON already.
    mutating func rows(_ name: String, _ rows: some Sequence<[UInt8]>) {
        array(name) { writer in
            for row in rows { writer.raw(row) }
        }
    }

    /// Writes a member that is a number as it stands.
    mutating func number(_ name: String, text: String) {
        key(name)
        number(text)
    }
}
