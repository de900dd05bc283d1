import Instruments
import JSON
import MarketData
import Venues

/// Kraken's public REST routes, which both WebSocket interfaces share.
///
/// Source: Kraken API documentation, "Spot REST API, Market Data", read 2026-11.
enum KrakenREST {
    /// What a GET asks for.
    static func question(_ address: RequestAddress, symbols: [String]) -> Question {
        switch address.path {
        case "/0/public/AssetPairs": return .instruments
        case "/0/public/Time": return .time
        case "/0/public/Ticker" where address["pair"] == nil: return .tickers
        case "/0/public/SystemStatus":
            return .settled(RESTAnswer(status: 200, #"{"error":[],"result":{"status":"online"}}"#))
        case "/0/public/Depth", "/0/public/Trades", "/0/public/OHLC": break
        default: return .settled(notFound())
        }
        let pair = address["pair"] ?? ""
        guard let symbol = symbols.first(where: { name($0) == name(pair) }) else {
            return .settled(RESTAnswer(status: 200, #"{"error":["EQuery:Unknown asset pair"]}"#))
        }
        if address.path == "/0/public/Depth" {
            return .book(symbol: symbol, limit: Int(min(max(address.integer("count") ?? 100, 1), 500)))
        }
        if address.path == "/0/public/OHLC" { return candleQuestion(address, symbol) }
        var query = TradeQuery(symbol: symbol, wording: pair, limit: 1_000)
        if let count = address.integer("count") { query.limit = Int(min(max(count, 1), 1_000)) }
        query.start = address.integer("since").map(since)
        return .trades(query)
    }

    /// Nanoseconds; a number too small for that is seconds, as the first trades of a pair may be asked for.
    private static func since(_ number: Int64) -> Timestamp {
        // Up to the year 2255, and within what nanoseconds can hold.
        let isSeconds = number.magnitude < 9_000_000_000
        return Timestamp(nanoseconds: isSeconds ? number * 1_000_000_000 : number).adding(nanoseconds: 1)
    }

    /// A pair without its slash, in the spelling of REST: `BTC/USD` and `XBTUSD` are one.
    static func name(_ symbol: String) -> String {
        let parts = symbol.split(separator: "/").map(String.init)
        guard parts.count == 2 else {
            // Only an asset at the beginning or the end: "XBTCHF" has the letters of BTC in its middle.
            var pair = symbol
            for (ours, theirs) in [("BTC", "XBT"), ("DOGE", "XDG")] {
                if pair.hasPrefix(ours) {
                    pair = theirs + pair.dropFirst(ours.count)
                } else if pair.hasSuffix(ours) {
                    pair = pair.dropLast(ours.count) + theirs
                }
            }
            return pair
        }
        return parts.map(spelled).joined()
    }

    static func book(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        let sides = book.top(limit == 0 ? .max : limit)
        return answer { writer in
            writer.object(name(book.symbol)) { writer in
                for (key, side, levels) in [("asks", BookSide.ask, sides.asks), ("bids", .bid, sides.bids)] {
                    writer.array(key) { writer in
                        for level in levels {
                            let places = KrakenPlaces(book, side, level)
                            writer.array { writer in
                                writer.string(places.price.description)
                                writer.string(places.size.description)
                                writer.integer(time.nanoseconds / 1_000_000_000)
                            }
                        }
                    }
                }
            }
        }
    }

    /// An answer without errors, of the results that `body` writes.
    static func answer(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.message { writer in
            writer.texts("error", [])
            writer.object("result", body)
        }
    }

    /// A page of trades: `[price, volume, time, side, type, misc(, id)]`, and where the next one begins.
    static func trades(_ trades: [KrakenTrade], _ query: TradeQuery) -> [UInt8] {
        let wanted = trades.filter { trade in query.start.map { trade.time >= $0 } ?? true }
        let page = query.start == nil ? Array(wanted.suffix(query.limit)) : Array(wanted.prefix(query.limit))
        let last = page.last?.time ?? query.start ?? .zero
        return answer { writer in
            writer.array(name(query.symbol)) { writer in
                for trade in page {
                    writer.array { writer in
                        writer.string(trade.price)
                        writer.string(trade.size)
                        writer.number(trade.time.nanoseconds, Scale(9) ?? .maximum)
                        writer.string(trade.isBuy ? "b" : "s")
                        writer.string(trade.isMarket ? "m" : "l")
                        writer.string("")
                        if let id = trade.id { writer.integer(id) }
                    }
                }
            }
            writer.text("last", String(last.nanoseconds))
        }
    }

    static func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8] {
        answer { writer in
            for instrument in instruments {
                let rest = name(instrument.symbol)
                let parts = instrument.symbol.split(separator: "/").map(String.init)
                guard parts.count == 2 else { continue }
                writer.object(rest) { writer in
                    writer.text("altname", rest)
                    writer.text("wsname", parts.map(spelled).joined(separator: "/"))
                    writer.text("base", spelled(parts[0]))
                    writer.text("quote", spelled(parts[1]))
                    writer.pair("pair_decimals", instrument.priceScale.places)
                    writer.pair("lot_decimals", instrument.sizeScale.places)
                    writer.decimal("tick_size", 1, instrument.priceScale)
                    writer.text("status", "online")
                }
            }
        }
    }

    /// REST and v1 say XBT and XDG where v2 says BTC and DOGE.
    private static func spelled(_ asset: String) -> String {
        switch asset {
        case "BTC": "XBT"
        case "DOGE": "XDG"
        default: asset
        }
    }

    static func time(_ time: Timestamp) -> RESTAnswer {
        let seconds = time.nanoseconds / 1_000_000 / 1_000
        return RESTAnswer(status: 200, "{\"error\":[],\"result\":{\"unixtime\":\(seconds)}}")
    }

    static func unavailable() -> RESTAnswer {
        RESTAnswer(status: 200, #"{"error":["EService:Unavailable"]}"#)
    }

    static func notFound() -> RESTAnswer {
        RESTAnswer(status: 404, #"{"error":["EGeneral:Unknown method"]}"#)
    }
}

/// A trade as Kraken's routes give it.
struct KrakenTrade: Hashable, Sendable {
    var price: String
    var size: String
    var time: Timestamp
    var isBuy: Bool
    var isMarket: Bool
    /// v1 messages have none.
    var id: Int64?
}

/// The texts of one level with the places that it was sent with, trailing zeros included.
struct KrakenPlaces {
    let price: DecimalNumber
    let size: DecimalNumber

    init(_ book: ReferenceBook, _ side: BookSide, _ level: BookLevel) {
        let wholePrice = level.price.decimal(book.book.priceScale)
        let wholeSize = level.size.decimal(book.book.sizeScale)
        let places = (book.session as? KrakenSession)?.places(of: level.price, side, in: book.index)
        price = KrakenPlaces.cut(wholePrice, places?.price)
        size = KrakenPlaces.cut(wholeSize, places?.size)
    }

    /// A level was sent with fewer places than others: the surplus ones are zeros.
    private static func cut(_ number: DecimalNumber, _ places: Int?) -> DecimalNumber {
        guard let places, let scale = Scale(places), let cut = try? number.rescaled(to: scale) else {
            return number
        }
        return cut
    }
}
