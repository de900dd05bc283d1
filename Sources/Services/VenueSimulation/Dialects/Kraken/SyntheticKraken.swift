import Instruments
import JSON
import MarketData

/// Kraken's v2 messages of a synthetic market, with the venue's checksums.
///
/// Source: Kraken API documentation, "Spot WebSocket v2" and "Book checksum", read 2026-11.
struct SyntheticKraken: SyntheticProtocol {
    private var nextTradeID: Int64
    private var lastPrices: [String: Price] = [:]

    /// A market whose trade ids no market that began at another time has, at any speed: a day's trades are
    /// stored once each.
    init(started: Timestamp) { nextTradeID = started.nanoseconds / 1_000 + 1 }

    mutating func beginning(of flow: SyntheticFlow, at time: Timestamp) -> [[UInt8]] {
        let top = flow.book.top(.max)
        let bids = top.bids.map { BookLevelChange(side: .bid, price: $0.price, size: $0.size) }
        let asks = top.asks.map { BookLevelChange(side: .ask, price: $0.price, size: $0.size) }
        return [book("snapshot", bids, asks, flow, at: time), ticker("snapshot", flow, at: time)]
    }

    mutating func messages(
        of step: SyntheticFlow.Step, _ flow: SyntheticFlow, topChanged: Bool, at time: Timestamp
    ) -> [[UInt8]] {
        let changes = step.changes.map(\.change)
        var messages: [[UInt8]] = []
        if let trade = step.trade { messages.append(self.trade(trade, flow, at: time)) }
        messages.append(
            book(
                "update", changes.filter { $0.side == .bid }, changes.filter { $0.side == .ask }, flow,
                at: time))
        if topChanged { messages.append(ticker("update", flow, at: time)) }
        return messages
    }

    private func book(
        _ type: String, _ bids: [BookLevelChange], _ asks: [BookLevelChange], _ flow: SyntheticFlow,
        at time: Timestamp
    ) -> [UInt8] {
        message("book", type, flow) { writer in
            for (name, changes) in [("bids", bids), ("asks", asks)] {
                writer.list(name, changes) { change, writer in
                    writer.number("price", change.price.rawValue, flow.instrument.priceScale)
                    writer.number("qty", change.size.rawValue, flow.instrument.sizeScale)
                }
            }
            writer.pair("checksum", SyntheticKraken.checksum(flow.book))
            writer.text("timestamp", time.iso8601(fractionDigits: 6))
        }
    }

    /// Ten asks from low to high, ten bids from high to low, price and quantity without point and leading
    /// zeros.
    static func checksum(_ book: Book) -> UInt32 {
        let top = book.top(10)
        var digits = ""
        for level in top.asks + top.bids { digits += "\(level.price.rawValue)\(level.size.rawValue)" }
        return digits.withUTF8 { CRC32.checksum(UnsafeRawBufferPointer($0)) }
    }

    private func ticker(_ type: String, _ flow: SyntheticFlow, at time: Timestamp) -> [UInt8] {
        let instrument = flow.instrument
        return message("ticker", type, flow) { writer in
            for (name, level) in [("bid", flow.book.bestBid), ("ask", flow.book.bestAsk)] {
                guard let level else { continue }
                writer.number(name, level.price.rawValue, instrument.priceScale)
                writer.number("\(name)_qty", level.size.rawValue, instrument.sizeScale)
            }
            writer.number(
                "last", lastPrices[instrument.symbol]?.rawValue ?? flow.book.bestBid?.price.rawValue ?? 0,
                instrument.priceScale)
            writer.text("timestamp", time.iso8601(fractionDigits: 6))
        }
    }

    private mutating func trade(
        _ trade: (side: Side, price: Price, size: Quantity), _ flow: SyntheticFlow, at time: Timestamp
    ) -> [UInt8] {
        let instrument = flow.instrument
        lastPrices[instrument.symbol] = trade.price
        nextTradeID += 1
        return message("trade", "update", flow) { writer in
            writer.text("side", trade.side == .buy ? "buy" : "sell")
            writer.number("price", trade.price.rawValue, instrument.priceScale)
            writer.number("qty", trade.size.rawValue, instrument.sizeScale)
            writer.text("ord_type", "market")
            writer.pair("trade_id", nextTradeID)
            writer.text("timestamp", time.iso8601(fractionDigits: 6))
        }
    }

    /// A message about one symbol; `body` writes what follows the symbol.
    private func message(
        _ channel: String, _ type: String, _ flow: SyntheticFlow, _ body: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("channel", channel)
            writer.text("type", type)
            writer.list("data", [flow.instrument.symbol]) { symbol, writer in
                writer.text("symbol", symbol)
                body(&writer)
            }
        }
    }
}
