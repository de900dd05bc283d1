import Instruments
import JSON
import MarketData

/// OKX's messages of a synthetic market, v5: books whose changes name the one before, without checksums.
///
/// Source, not confirmed by its pages: OKX API guide v5, "Order book channel", "All trades channel" and
/// "Tickers channel".
struct SyntheticOKX: SyntheticProtocol {
    /// What no market that began earlier has reached, at any speed.
    private let firstID: Int64
    private var sequences: [String: Int64] = [:]
    private var trades: Int64 = 0
    private var lastPrices: [String: Price] = [:]

    init(started: Timestamp) { firstID = started.nanoseconds / 1_000 + 1 }

    mutating func beginning(of flow: SyntheticFlow, at time: Timestamp) -> [[UInt8]] {
        let symbol = flow.instrument.symbol
        sequences[symbol] = firstID
        let top = flow.book.top(.max)
        return [
            book("snapshot", (top.bids, top.asks), previous: -1, firstID, flow, at: time),
            ticker(flow, at: time),
        ]
    }

    mutating func messages(
        of step: SyntheticFlow.Step, _ flow: SyntheticFlow, topChanged: Bool, at time: Timestamp
    ) -> [[UInt8]] {
        let symbol = flow.instrument.symbol
        var messages: [[UInt8]] = []
        if let trade = step.trade { messages.append(self.trade(trade, flow, at: time)) }
        let previous = sequences[symbol] ?? firstID
        sequences[symbol] = previous + 1
        messages.append(
            book(
                "update", (step.levels(.bid), step.levels(.ask)), previous: previous, previous + 1, flow,
                at: time))
        if topChanged { messages.append(ticker(flow, at: time)) }
        return messages
    }

    private func book(
        _ action: String, _ sides: (bids: [BookLevel], asks: [BookLevel]), previous: Int64, _ sequence: Int64,
        _ flow: SyntheticFlow, at time: Timestamp
    ) -> [UInt8] {
        message("books", action, flow) { writer in
            for (name, levels) in [("asks", sides.asks), ("bids", sides.bids)] {
                writer.levels(name, levels, of: flow.instrument) { writer in
                    writer.string("0")
                    writer.string("1")
                }
            }
            writer.text("ts", "\(time.nanoseconds / 1_000_000)")
            writer.pair("checksum", 0)
            writer.pair("prevSeqId", previous)
            writer.pair("seqId", sequence)
        }
    }

    private mutating func trade(
        _ trade: (side: Side, price: Price, size: Quantity), _ flow: SyntheticFlow, at time: Timestamp
    ) -> [UInt8] {
        let instrument = flow.instrument
        lastPrices[instrument.symbol] = trade.price
        trades += 1
        let id = firstID + trades
        return message("trades-all", nil, flow) { writer in
            writer.text("instId", instrument.symbol)
            writer.text("tradeId", "\(id)")
            writer.decimal("px", trade.price.rawValue, instrument.priceScale)
            writer.decimal("sz", trade.size.rawValue, instrument.sizeScale)
            writer.text("side", trade.side == .buy ? "buy" : "sell")
            writer.text("ts", "\(time.nanoseconds / 1_000_000)")
        }
    }

    private func ticker(_ flow: SyntheticFlow, at time: Timestamp) -> [UInt8] {
        let instrument = flow.instrument
        return message("tickers", nil, flow) { writer in
            writer.text("instId", instrument.symbol)
            let last = lastPrices[instrument.symbol] ?? flow.book.bestBid?.price
            writer.decimal("last", last?.rawValue ?? 0, instrument.priceScale)
            for (name, level) in [("bid", flow.book.bestBid), ("ask", flow.book.bestAsk)] {
                writer.decimal("\(name)Px", level?.price.rawValue ?? 0, instrument.priceScale)
                writer.decimal("\(name)Sz", level?.size.rawValue ?? 0, instrument.sizeScale)
            }
            writer.text("ts", "\(time.nanoseconds / 1_000_000)")
        }
    }

    private func message(
        _ channel: String, _ action: String?, _ flow: SyntheticFlow, _ body: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        JSONWriter.message { writer in
            writer.object("arg") { writer in
                writer.text("channel", channel)
                writer.text("instId", flow.instrument.symbol)
            }
            if let action { writer.text("action", action) }
            writer.array("data") { $0.object(body) }
        }
    }
}
