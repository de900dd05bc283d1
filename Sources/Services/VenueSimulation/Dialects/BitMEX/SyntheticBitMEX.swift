import Instruments
import MarketData

/// BitMEX's messages of a synthetic market, as they are since July 2023: prices in every row, arbitrary ids.
struct SyntheticBitMEX: SyntheticProtocol {
    private struct Key: Hashable {
        var symbol: String
        var side: BookSide
        var price: Price
    }

    private var ids: [Key: UInt64] = [:]
    private var nextID: UInt64
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        nextID = 1_000_000_000 + random.next() % 1_000_000
    }

    mutating func beginning(of flow: SyntheticFlow, at time: Timestamp) -> [[UInt8]] {
        let book = flow.book
        let symbol = flow.instrument.symbol
        var text = JSONBytes(
            "{\"table\":\"orderBookL2\",\"action\":\"partial\",\"keys\":[\"symbol\",\"id\",\"side\"],")
        text.raw("\"types\":{\"symbol\":\"symbol\",\"id\":\"long\",\"side\":\"symbol\",\"size\":\"long\",")
        text.raw(
            "\"price\":\"float\",\"timestamp\":\"timestamp\"},\"filter\":{\"symbol\":\"\(symbol)\"},\"data\":["
        )
        for (side, levels) in [(BookSide.ask, book.asks), (.bid, book.bids)] {
            for rank in 0..<levels.count {
                let level = levels.level(at: rank)
                appendRow(side, level.price, level.size, flow, at: time, to: &text)
            }
        }
        text.raw("]}")
        return [text.bytes, quote(flow, "partial", at: time), trades(nil, flow, "partial", at: time)]
    }

    mutating func messages(
        of step: SyntheticFlow.Step, _ flow: SyntheticFlow, topChanged: Bool, at time: Timestamp
    ) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        if let trade = step.trade { messages.append(trades(trade, flow, "insert", at: time)) }
        for (action, part) in [
            ("delete", step.changes.filter { $0.change.size == .zero }),
            ("update", step.changes.filter { $0.change.size != .zero && !$0.isNew }),
            ("insert", step.changes.filter { $0.change.size != .zero && $0.isNew }),
        ] where !part.isEmpty {
            var text = JSONBytes("{\"table\":\"orderBookL2\",\"action\":\"\(action)\",\"data\":[")
            for (change, _) in part {
                let size = action == "delete" ? nil : change.size
                appendRow(change.side, change.price, size, flow, at: time, to: &text)
            }
            text.raw("]}")
            messages.append(text.bytes)
        }
        if topChanged { messages.append(quote(flow, "insert", at: time)) }
        return messages
    }

    /// A level that enters the book gets a new id; one that leaves it gives its id up.
    private mutating func appendRow(
        _ side: BookSide, _ price: Price, _ size: Quantity?, _ flow: SyntheticFlow, at time: Timestamp,
        to text: inout JSONBytes
    ) {
        let key = Key(symbol: flow.instrument.symbol, side: side, price: price)
        let id = ids[key] ?? nextID
        if ids[key] == nil {
            ids[key] = id
            nextID += 1 + random.next() % 100
        }
        if size == nil { ids[key] = nil }
        text.separator()
        text.raw(
            "{\"symbol\":\"\(flow.instrument.symbol)\",\"id\":\(id),\"side\":\"\(side == .bid ? "Buy" : "Sell")\""
        )
        if let size { text.raw(",\"size\":\(size.rawValue)") }
        text.raw(",\"price\":")
        text.shortest(price.rawValue, flow.instrument.priceScale)
        text.raw(",\"timestamp\":\"\(time.iso8601(fractionDigits: 3))\"}")
    }

    private func quote(_ flow: SyntheticFlow, _ action: String, at time: Timestamp) -> [UInt8] {
        let scale = flow.instrument.priceScale
        var text = JSONBytes("{\"table\":\"quote\",\"action\":\"\(action)\",\"data\":[{\"timestamp\":")
        text.raw("\"\(time.iso8601(fractionDigits: 3))\",\"symbol\":\"\(flow.instrument.symbol)\"")
        if let bid = flow.book.bestBid {
            text.raw(",\"bidSize\":\(bid.size.rawValue),\"bidPrice\":")
            text.shortest(bid.price.rawValue, scale)
        }
        if let ask = flow.book.bestAsk {
            text.raw(",\"askPrice\":")
            text.shortest(ask.price.rawValue, scale)
            text.raw(",\"askSize\":\(ask.size.rawValue)")
        }
        text.raw("}]}")
        return text.bytes
    }

    private mutating func trades(
        _ trade: (side: Side, price: Price, size: Quantity)?, _ flow: SyntheticFlow, _ action: String,
        at time: Timestamp
    ) -> [UInt8] {
        var text = JSONBytes("{\"table\":\"trade\",\"action\":\"\(action)\",")
        text.raw("\"filter\":{\"symbol\":\"\(flow.instrument.symbol)\"},\"data\":[")
        if let trade {
            text.raw(
                "{\"timestamp\":\"\(time.iso8601(fractionDigits: 3))\",\"symbol\":\"\(flow.instrument.symbol)\","
            )
            text.raw(
                "\"side\":\"\(trade.side == .buy ? "Buy" : "Sell")\",\"size\":\(trade.size.rawValue),\"price\":"
            )
            text.shortest(trade.price.rawValue, flow.instrument.priceScale)
            text.raw(
                ",\"tickDirection\":\"\(trade.side == .buy ? "PlusTick" : "MinusTick")\",\"trdMatchID\":\"")
            text.raw(matchID())
            text.raw("\",\"trdType\":\"Regular\"}")
        }
        text.raw("]}")
        return text.bytes
    }

    /// In the form of a UUID.
    private mutating func matchID() -> String {
        let digits = [random.next(), random.next()].map { number in
            let hex = String(number, radix: 16)
            return String(repeating: "0", count: 16 - hex.utf8.count) + hex
        }.joined()
        var result = ""
        for (position, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(position) { result += "-" }
            result.append(digit)
        }
        return result
    }
}
