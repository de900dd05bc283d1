import Instruments
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
        var text = JSONBytes(
            "{\"channel\":\"book\",\"type\":\"\(type)\",\"data\":[{\"symbol\":\"\(flow.instrument.symbol)\"")
        for (name, changes) in [("bids", bids), ("asks", asks)] {
            text.raw(",\"\(name)\":[")
            for change in changes {
                text.separator()
                text.raw("{\"price\":")
                text.decimal(change.price.rawValue, flow.instrument.priceScale)
                text.raw(",\"qty\":")
                text.decimal(change.size.rawValue, flow.instrument.sizeScale)
                text.raw("}")
            }
            text.raw("]")
        }
        text.raw(",\"checksum\":\(SyntheticKraken.checksum(flow.book))")
        text.raw(",\"timestamp\":\"\(time.iso8601(fractionDigits: 6))\"}]}")
        return text.bytes
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
        var text = JSONBytes(
            "{\"channel\":\"ticker\",\"type\":\"\(type)\",\"data\":[{\"symbol\":\"\(instrument.symbol)\"")
        for (name, level) in [("bid", flow.book.bestBid), ("ask", flow.book.bestAsk)] {
            guard let level else { continue }
            text.raw(",\"\(name)\":")
            text.decimal(level.price.rawValue, instrument.priceScale)
            text.raw(",\"\(name)_qty\":")
            text.decimal(level.size.rawValue, instrument.sizeScale)
        }
        text.raw(",\"last\":")
        text.decimal(lastPrices[instrument.symbol]?.rawValue ?? instrument.startPrice, instrument.priceScale)
        text.raw(",\"timestamp\":\"\(time.iso8601(fractionDigits: 6))\"}]}")
        return text.bytes
    }

    private mutating func trade(
        _ trade: (side: Side, price: Price, size: Quantity), _ flow: SyntheticFlow, at time: Timestamp
    ) -> [UInt8] {
        let instrument = flow.instrument
        lastPrices[instrument.symbol] = trade.price
        nextTradeID += 1
        var text = JSONBytes(
            "{\"channel\":\"trade\",\"type\":\"update\",\"data\":[{\"symbol\":\"\(instrument.symbol)\",")
        text.raw("\"side\":\"\(trade.side == .buy ? "buy" : "sell")\",\"price\":")
        text.decimal(trade.price.rawValue, instrument.priceScale)
        text.raw(",\"qty\":")
        text.decimal(trade.size.rawValue, instrument.sizeScale)
        text.raw(",\"ord_type\":\"market\",\"trade_id\":\(nextTradeID)")
        text.raw(",\"timestamp\":\"\(time.iso8601(fractionDigits: 6))\"}]}")
        return text.bytes
    }
}
