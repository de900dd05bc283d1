import Instruments
import JSON
import MarketData

/// Bybit's messages of a synthetic market, V5: numbered books and a tape; its spot says no best bid and ask.
///
/// Source, not confirmed by its pages: Bybit, "V5 API, WebSocket public stream, Orderbook" and "Trade".
struct SyntheticBybit: SyntheticProtocol {
    /// What no market that began earlier has reached, at any speed.
    private let firstID: Int64
    private var updates: [String: Int64] = [:]
    private var trades: Int64 = 0

    init(started: Timestamp) { firstID = started.nanoseconds / 1_000 + 2 }

    mutating func beginning(of flow: SyntheticFlow, at time: Timestamp) -> [[UInt8]] {
        let top = flow.book.top(.max)
        updates[flow.instrument.symbol] = firstID
        return [book("snapshot", (top.bids, top.asks), firstID, flow, at: time)]
    }

    mutating func messages(
        of step: SyntheticFlow.Step, _ flow: SyntheticFlow, topChanged: Bool, at time: Timestamp
    ) -> [[UInt8]] {
        let update = (updates[flow.instrument.symbol] ?? firstID) + 1
        updates[flow.instrument.symbol] = update
        let change = book("delta", (step.levels(.bid), step.levels(.ask)), update, flow, at: time)
        return (step.trade.map { [trade($0, flow, at: time)] } ?? []) + [change]
    }

    private func book(
        _ type: String, _ sides: (bids: [BookLevel], asks: [BookLevel]), _ update: Int64,
        _ flow: SyntheticFlow, at time: Timestamp
    ) -> [UInt8] {
        message("orderbook.200", type, flow, at: time) { writer in
            writer.object("data") { writer in
                writer.text("s", flow.instrument.symbol)
                writer.levels("b", sides.bids, of: flow.instrument)
                writer.levels("a", sides.asks, of: flow.instrument)
                writer.pair("u", update)
                writer.pair("seq", update)
            }
        }
    }

    private mutating func trade(
        _ trade: (side: Side, price: Price, size: Quantity), _ flow: SyntheticFlow, at time: Timestamp
    ) -> [UInt8] {
        trades += 1
        let (id, instrument) = (firstID + trades, flow.instrument)
        return message("publicTrade", "snapshot", flow, at: time) { writer in
            writer.list("data", [trade]) { trade, writer in
                writer.pair("T", time.nanoseconds / 1_000_000)
                writer.text("s", instrument.symbol)
                writer.text("S", trade.side == .buy ? "Buy" : "Sell")
                writer.decimal("v", trade.size.rawValue, instrument.sizeScale)
                writer.decimal("p", trade.price.rawValue, instrument.priceScale)
                writer.text("i", "\(id)")
                writer.pair("BT", false)
            }
        }
    }

    private func message(
        _ topic: String, _ type: String, _ flow: SyntheticFlow, at time: Timestamp,
        _ data: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("topic", "\(topic).\(flow.instrument.symbol)")
            writer.text("type", type)
            writer.pair("ts", time.nanoseconds / 1_000_000)
            data(&writer)
        }
    }
}
