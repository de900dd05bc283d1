import Instruments
import JSON
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
        let image = JSONWriter.message { writer in
            writer.text("table", "orderBookL2")
            writer.text("action", "partial")
            writer.texts("keys", ["symbol", "id", "side"])
            writer.object("types") { writer in
                writer.text("symbol", "symbol")
                writer.text("id", "long")
                writer.text("side", "symbol")
                writer.text("size", "long")
                writer.text("price", "float")
                writer.text("timestamp", "timestamp")
            }
            writer.object("filter") { $0.text("symbol", symbol) }
            writer.array("data") { writer in
                for (side, levels) in [(BookSide.ask, book.asks), (.bid, book.bids)] {
                    for rank in 0..<levels.count {
                        let level = levels.level(at: rank)
                        writeRow(side, level.price, level.size, flow, at: time, to: &writer)
                    }
                }
            }
        }
        return [image, quote(flow, "partial", at: time), trades(nil, flow, "partial", at: time)]
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
            let message = JSONWriter.message { writer in
                writer.text("table", "orderBookL2")
                writer.text("action", action)
                writer.array("data") { writer in
                    for (change, _) in part {
                        let size = action == "delete" ? nil : change.size
                        writeRow(change.side, change.price, size, flow, at: time, to: &writer)
                    }
                }
            }
            messages.append(message)
        }
        if topChanged { messages.append(quote(flow, "insert", at: time)) }
        return messages
    }

    /// A level that enters the book gets a new id; one that leaves it gives its id up.
    private mutating func writeRow(
        _ side: BookSide, _ price: Price, _ size: Quantity?, _ flow: SyntheticFlow, at time: Timestamp,
        to writer: inout JSONWriter
    ) {
        let key = Key(symbol: flow.instrument.symbol, side: side, price: price)
        let id = ids[key] ?? nextID
        if ids[key] == nil {
            ids[key] = id
            nextID += 1 + random.next() % 100
        }
        if size == nil { ids[key] = nil }
        writer.object { writer in
            writer.text("symbol", flow.instrument.symbol)
            writer.pair("id", id)
            writer.text("side", side == .bid ? "Buy" : "Sell")
            if let size { writer.pair("size", size.rawValue) }
            writer.shortest("price", price.rawValue, flow.instrument.priceScale)
            writer.text("timestamp", time.iso8601(fractionDigits: 3))
        }
    }

    private func quote(_ flow: SyntheticFlow, _ action: String, at time: Timestamp) -> [UInt8] {
        let scale = flow.instrument.priceScale
        return JSONWriter.message { writer in
            writer.text("table", "quote")
            writer.text("action", action)
            writer.list("data", [flow.book]) { book, writer in
                writer.text("timestamp", time.iso8601(fractionDigits: 3))
                writer.text("symbol", flow.instrument.symbol)
                if let bid = book.bestBid {
                    writer.pair("bidSize", bid.size.rawValue)
                    writer.shortest("bidPrice", bid.price.rawValue, scale)
                }
                if let ask = book.bestAsk {
                    writer.shortest("askPrice", ask.price.rawValue, scale)
                    writer.pair("askSize", ask.size.rawValue)
                }
            }
        }
    }

    private mutating func trades(
        _ trade: (side: Side, price: Price, size: Quantity)?, _ flow: SyntheticFlow, _ action: String,
        at time: Timestamp
    ) -> [UInt8] {
        let instrument = flow.instrument
        return JSONWriter.message { writer in
            writer.text("table", "trade")
            writer.text("action", action)
            writer.object("filter") { $0.text("symbol", instrument.symbol) }
            writer.list("data", trade.map { [$0] } ?? []) { trade, writer in
                writer.text("timestamp", time.iso8601(fractionDigits: 3))
                writer.text("symbol", instrument.symbol)
                writer.text("side", trade.side == .buy ? "Buy" : "Sell")
                writer.pair("size", trade.size.rawValue)
                writer.shortest("price", trade.price.rawValue, instrument.priceScale)
                writer.text("tickDirection", trade.side == .buy ? "PlusTick" : "MinusTick")
                writer.text("trdMatchID", matchID())
                writer.text("trdType", "Regular")
            }
        }
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
