import Instruments
import MarketData
import Support
import Wire

/// Messages for tests; what they say does not matter, only which is which.
enum BusFixtures {
    static let bitcoin = InstrumentID(venue: .kraken, symbol: "BTC/USD")
    static let ether = InstrumentID(venue: .bitmex, symbol: "ETHUSD")

    static func instrument(_ number: Int) -> InstrumentID {
        InstrumentID(venue: .kraken, symbol: "I\(number)")
    }

    static func trade(_ id: String, _ instrument: InstrumentID = bitcoin) -> WireEvent {
        .trade(
            instrument,
            Trade(
                id: id, side: .buy, price: Price(1), size: Quantity(1), priceScale: .zero, sizeScale: .zero,
                venueTime: .zero, receivedTime: .zero, isAggregate: false, isBackfill: false))
    }

    static func tradeID(_ event: WireEvent?) -> String? {
        if case .trade(_, let trade) = event { return trade.id }
        return nil
    }

    /// A delta that sets the size of the bid at a price.
    static func delta(_ price: Int64, _ size: Int64, _ instrument: InstrumentID = bitcoin) -> WireEvent {
        .bookDelta(
            instrument,
            BookDelta(
                priceScale: .zero, sizeScale: .zero,
                changes: [BookLevelChange(side: .bid, price: Price(price), size: Quantity(size))],
                venueTime: nil,
                receivedTime: .zero))
    }

    /// A live book with these bids, best first.
    static func snapshot(
        _ bids: [(Int64, Int64)], continues position: StreamPosition?, _ instrument: InstrumentID = bitcoin
    ) -> WireEvent {
        .bookSnapshot(
            instrument,
            BookSnapshot(
                state: .live, reason: .verified, priceScale: .zero, sizeScale: .zero,
                bids: bids.map { BookLevel(price: Price($0.0), size: Quantity($0.1)) }, asks: [],
                continues: position,
                venueTime: nil, receivedTime: .zero))
    }

    static func ticker(_ bid: Int64, _ instrument: InstrumentID = bitcoin) -> WireEvent {
        .ticker(
            instrument,
            Ticker(
                bidPrice: Price(bid), bidSize: nil, askPrice: nil, askSize: nil, lastPrice: nil,
                priceScale: .zero,
                sizeScale: .zero, venueTime: nil, receivedTime: .zero))
    }

    static func bid(_ event: WireEvent?) -> Int64? {
        if case .ticker(_, let ticker) = event { return ticker.bidPrice?.rawValue }
        return nil
    }

    /// A whole envelope as a publisher would send it.
    static func envelope(
        _ event: WireEvent, producer: String = "tester", epoch: UInt64 = 1, sequence: UInt64
    ) -> [UInt8] {
        tombstone(producer: producer, epoch: epoch, sequence: sequence) + EventEncoder.encode(event)
    }

    /// An envelope without an event, which ends its topic.
    static func tombstone(producer: String = "tester", epoch: UInt64 = 1, sequence: UInt64) -> [UInt8] {
        let prefix = EnvelopeHeader.prefix(producer: producer, epoch: epoch)
        var header = [UInt8](repeating: 0, count: EnvelopeHeader.size(prefixCount: prefix.count))
        header.withUnsafeMutableBytes {
            _ = EnvelopeHeader.write(prefix: prefix, sequence: sequence, publishedTime: .zero, into: $0)
        }
        return header
    }
}
