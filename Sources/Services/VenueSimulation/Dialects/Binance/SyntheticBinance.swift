import Instruments
import JSON
import MarketData

/// Binance's messages of a synthetic market, of spot or of USD-M futures, in combined streams.
///
/// Source: Binance API documentation, "WebSocket Streams" (spot) and "USDⓈ-M futures, Websocket Market
/// Streams", read 2026-11.
struct SyntheticBinance: SyntheticProtocol {
    /// Nanoseconds from one mark price of an instrument to the next.
    private static let markInterval: Int64 = 1_000_000_000

    private let isFutures: Bool
    /// By symbol: the last update of the book.
    private var updates: [String: Int64] = [:]
    private var marked: [String: Timestamp] = [:]
    /// What no market that began earlier has reached, at any speed.
    private let firstID: Int64
    private var trades: Int64 = 0

    init(isFutures: Bool, started: Timestamp) {
        self.isFutures = isFutures
        firstID = started.nanoseconds / 1_000 + 1
    }

    /// The answer of the depth route: the book is given by REST alone.
    mutating func image(of flow: SyntheticFlow, at time: Timestamp) -> (url: String, body: [UInt8])? {
        let symbol = flow.instrument.symbol
        updates[symbol] = firstID
        let top = flow.book.top(.max)
        let body = JSONWriter.message { writer in
            writer.pair("lastUpdateId", firstID)
            if isFutures {
                writer.pair("E", milliseconds(time))
                writer.pair("T", milliseconds(time))
            }
            for (name, levels) in [("bids", top.bids), ("asks", top.asks)] {
                writer.levels(name, levels, of: flow.instrument)
            }
        }
        let path = isFutures ? "/fapi/v1/depth" : "/api/v3/depth"
        return ("https://simulator\(path)?symbol=\(symbol)&limit=1000", body)
    }

    mutating func beginning(of flow: SyntheticFlow, at time: Timestamp) -> [[UInt8]] {
        [ticker(flow, at: time)] + mark(flow, at: time)
    }

    mutating func messages(
        of step: SyntheticFlow.Step, _ flow: SyntheticFlow, topChanged: Bool, at time: Timestamp
    ) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        if let trade = step.trade { messages.append(self.trade(trade, flow, at: time)) }
        messages.append(update(step, flow, at: time))
        if topChanged { messages.append(ticker(flow, at: time)) }
        return messages + mark(flow, at: time)
    }

    /// Of futures the first event that fits an image contains its last update, so that each begins with the
    /// one before.
    private mutating func update(
        _ step: SyntheticFlow.Step, _ flow: SyntheticFlow, at time: Timestamp
    ) -> [UInt8] {
        let symbol = flow.instrument.symbol
        let previous = updates[symbol] ?? firstID
        updates[symbol] = previous + 1
        return message("depth@100ms", flow) { writer in
            writer.text("e", "depthUpdate")
            writer.pair("E", milliseconds(time))
            if isFutures { writer.pair("T", milliseconds(time)) }
            writer.text("s", symbol)
            writer.pair("U", isFutures ? previous : previous + 1)
            writer.pair("u", previous + 1)
            if isFutures { writer.pair("pu", previous) }
            for (name, side) in [("b", BookSide.bid), ("a", .ask)] {
                writer.levels(name, step.levels(side), of: flow.instrument)
            }
        }
    }

    private mutating func trade(
        _ trade: (side: Side, price: Price, size: Quantity), _ flow: SyntheticFlow, at time: Timestamp
    ) -> [UInt8] {
        trades += 1
        let id = firstID + trades
        return message("aggTrade", flow) { writer in
            writer.text("e", "aggTrade")
            writer.pair("E", milliseconds(time))
            writer.text("s", flow.instrument.symbol)
            writer.pair("a", id)
            writer.decimal("p", trade.price.rawValue, flow.instrument.priceScale)
            writer.decimal("q", trade.size.rawValue, flow.instrument.sizeScale)
            writer.pair("f", id)
            writer.pair("l", id)
            writer.pair("T", milliseconds(time))
            // Whether the buyer was the maker.
            writer.pair("m", trade.side == .sell)
            if !isFutures { writer.pair("M", true) }
        }
    }

    private func ticker(_ flow: SyntheticFlow, at time: Timestamp) -> [UInt8] {
        message("bookTicker", flow) { writer in
            if isFutures { writer.text("e", "bookTicker") }
            writer.pair("u", updates[flow.instrument.symbol] ?? firstID)
            writer.text("s", flow.instrument.symbol)
            for (price, size, level) in [("b", "B", flow.book.bestBid), ("a", "A", flow.book.bestAsk)] {
                writer.decimal(price, level?.price.rawValue ?? 0, flow.instrument.priceScale)
                writer.decimal(size, level?.size.rawValue ?? 0, flow.instrument.sizeScale)
            }
            if isFutures {
                writer.pair("T", milliseconds(time))
                writer.pair("E", milliseconds(time))
            }
        }
    }

    /// The middle of the book, once a second, where there is such a message.
    private mutating func mark(_ flow: SyntheticFlow, at time: Timestamp) -> [[UInt8]] {
        let symbol = flow.instrument.symbol
        if !isFutures { return [] }
        if let last = marked[symbol], time.nanoseconds(since: last) < Self.markInterval { return [] }
        guard let bid = flow.book.bestBid, let ask = flow.book.bestAsk else { return [] }
        marked[symbol] = time
        let middle = (bid.price.rawValue + ask.price.rawValue) / 2
        let message = message("markPrice@1s", flow) { writer in
            writer.text("e", "markPriceUpdate")
            writer.pair("E", milliseconds(time))
            writer.text("s", symbol)
            writer.decimal("p", middle, flow.instrument.priceScale)
        }
        return [message]
    }

    private func message(
        _ stream: String, _ flow: SyntheticFlow, _ body: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("stream", "\(flow.instrument.symbol.lowercased())@\(stream)")
            writer.object("data", body)
        }
    }

    private func milliseconds(_ time: Timestamp) -> Int64 { time.nanoseconds / 1_000_000 }
}
