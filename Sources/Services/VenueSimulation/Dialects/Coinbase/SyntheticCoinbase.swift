import Instruments
import JSON
import MarketData

/// The messages of Coinbase's Exchange feed of a synthetic market: books without numbers, matches, tickers.
///
/// Source, not confirmed: Coinbase Developer Documentation, "Exchange WebSocket channels".
struct SyntheticCoinbase: SyntheticProtocol {
    /// What no market that began earlier has reached, at any speed.
    private let firstID: Int64
    private var trades: Int64 = 0
    private var lastPrices: [String: Price] = [:]

    init(started: Timestamp) { firstID = started.nanoseconds / 1_000 + 1 }

    mutating func beginning(of flow: SyntheticFlow, at time: Timestamp) -> [[UInt8]] {
        let top = flow.book.top(.max)
        let image = message("snapshot", flow, at: time) { writer in
            writer.levels("bids", top.bids, of: flow.instrument)
            writer.levels("asks", top.asks, of: flow.instrument)
        }
        return [image, ticker(flow, at: time)]
    }

    mutating func messages(
        of step: SyntheticFlow.Step, _ flow: SyntheticFlow, topChanged: Bool, at time: Timestamp
    ) -> [[UInt8]] {
        let instrument = flow.instrument
        var messages: [[UInt8]] = []
        if let trade = step.trade { messages.append(match(trade, flow, at: time)) }
        messages.append(
            message("l2update", flow, at: time) { writer in
                writer.array("changes") { writer in
                    for (change, _) in step.changes {
                        writer.array { writer in
                            writer.string(change.side == .bid ? "buy" : "sell")
                            writer.decimal(change.price.rawValue, instrument.priceScale)
                            writer.decimal(change.size.rawValue, instrument.sizeScale)
                        }
                    }
                }
            })
        if topChanged { messages.append(ticker(flow, at: time)) }
        return messages
    }

    /// Names the maker's side.
    private mutating func match(
        _ trade: (side: Side, price: Price, size: Quantity), _ flow: SyntheticFlow, at time: Timestamp
    ) -> [UInt8] {
        let instrument = flow.instrument
        lastPrices[instrument.symbol] = trade.price
        trades += 1
        let id = firstID + trades
        return message("match", flow, at: time) { writer in
            writer.pair("trade_id", id)
            writer.text("side", trade.side == .buy ? "sell" : "buy")
            writer.decimal("size", trade.size.rawValue, instrument.sizeScale)
            writer.decimal("price", trade.price.rawValue, instrument.priceScale)
            writer.pair("sequence", id)
        }
    }

    private func ticker(_ flow: SyntheticFlow, at time: Timestamp) -> [UInt8] {
        let instrument = flow.instrument
        return message("ticker", flow, at: time) { writer in
            let last = lastPrices[instrument.symbol] ?? flow.book.bestBid?.price
            writer.decimal("price", last?.rawValue ?? 0, instrument.priceScale)
            for (name, level) in [("best_bid", flow.book.bestBid), ("best_ask", flow.book.bestAsk)] {
                writer.decimal(name, level?.price.rawValue ?? 0, instrument.priceScale)
                writer.decimal("\(name)_size", level?.size.rawValue ?? 0, instrument.sizeScale)
            }
        }
    }

    private func message(
        _ type: String, _ flow: SyntheticFlow, at time: Timestamp, _ body: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("type", type)
            writer.text("product_id", flow.instrument.symbol)
            body(&writer)
            writer.text("time", time.iso8601(fractionDigits: 6))
        }
    }
}
