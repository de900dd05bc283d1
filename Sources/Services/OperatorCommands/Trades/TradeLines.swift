import Bus
import Instruments
import MarketData
import Shapes

/// A trade as `--json` prints it.
struct TradeLine: WireBody, Sendable {
    static let shape = BodyShape<TradeLine>("Trade") {
        Field(all: { InstrumentFields($0.id) })
        Field("id", \.trade.id, "As the venue names it.", example: "98765")
        Field("side", \.trade.side.name, "What the taker did.", as: .words(Side.allCases.map(\.name)))
        Field("price", { $0.trade.price.decimal($0.trade.priceScale) }, example: "61000.5")
        Field(
            "amount", { $0.trade.size.decimal($0.trade.sizeScale) }, "Of the base asset, or contracts.",
            example: "0.25")
        Field("time", \.trade.venueTime.iso8601, "When it was made, by the venue.", as: .time)
        Field("received_time", \.trade.receivedTime.iso8601, "When it was received here.", as: .time)
        Field("is_aggregate", \.trade.isAggregate, "Whether the id numbers trades that were put together.")
        Field("is_backfill", \.trade.isBackfill, "Whether it was fetched, or sent again, after its time.")
    }

    let trade: Trade
    let id: InstrumentID

    init(_ trade: Trade, _ id: InstrumentID) { (self.trade, self.id) = (trade, id) }
}

/// Messages of a topic that did not come.
struct GapLine: WireBody, Sendable {
    static let shape = BodyShape<GapLine>("TopicGap") {
        Field("gap", \.topic, "The topic.", example: "trade.kraken.BTC/USD.")
        Field(ifPresent: "producer", \.producer, "Whose messages are missing.", example: "feed-ingestor")
        Field("expected", \.gap.expected, "The number of the first that is missing.", example: 7)
        Field("received", \.gap.received, "The number that came instead; null where more may be missing.")
    }

    let gap: BusGap
    let topic: String
    var producer: String?
}

/// Messages that a slow reader of our output will not see.
struct DroppedLine: WireBody {
    static let shape = BodyShape<DroppedLine>("DroppedMessages") {
        Field("gap", \.topic, "The topic.", example: "trade.kraken.BTC/USD.")
        Field("dropped", \.count, "How many.", example: 12)
    }

    let topic: String
    let count: UInt64
}
