import Instruments
import MarketData
import Support
import SwiftProtobuf
import Testing
import Wire

@Suite("Events on the wire")
struct EventRoundTripTests {
    @Test("are decoded as they were encoded", arguments: 0..<SeededGenerator.eventKinds)
    func roundTrip(kind: Int) {
        property { rng in
            let event = rng.event(kind: kind)
            let bytes = EventEncoder.encode(event)
            let (header, decoded) = try EnvelopeDecoder.decode(bytes)
            try #require(isSame(decoded, event), "\(event) became \(decoded)")
            let none = MessageHeader(producer: "", epoch: 0, sequence: 0, publishedTime: .zero)
            try #require(header == none)
            let (_, fromBuffer) = try bytes.withUnsafeBytes { try EnvelopeDecoder.decode($0) }
            try #require(isSame(fromBuffer, event))
        }
    }

    @Test("travel with their header", arguments: 0..<SeededGenerator.eventKinds)
    func envelopes(kind: Int) {
        property(cases: 50) { rng in
            let event = rng.event(kind: kind)
            let header = rng.header()
            let envelope = EventEncoder.envelope(event, header: header)
            let bytes: [UInt8] = try envelope.serializedBytes()
            let (decodedHeader, decoded) = try EnvelopeDecoder.decode(bytes)
            try #require(decodedHeader == header)
            try #require(isSame(decoded, event))
        }
    }

    @Test("keep the order of changes within a side")
    func orderWithinSide() throws {
        let changes = [
            BookLevelChange(side: .ask, price: Price(5), size: Quantity(1)),
            BookLevelChange(side: .bid, price: Price(4), size: Quantity(2)),
            BookLevelChange(side: .ask, price: Price(5), size: .zero),
            BookLevelChange(side: .bid, price: Price(3), size: Quantity(7)),
        ]
        let delta = BookDelta(
            priceScale: .zero, sizeScale: .zero, changes: changes, venueTime: nil, receivedTime: .zero)
        let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")
        let (_, event) = try EnvelopeDecoder.decode(EventEncoder.encode(.bookDelta(id, delta)))
        guard case .bookDelta(_, let decoded) = event else {
            Issue.record("not a delta")
            return
        }
        #expect(decoded.changes.filter { $0.side == .bid } == changes.filter { $0.side == .bid })
        #expect(decoded.changes.filter { $0.side == .ask } == changes.filter { $0.side == .ask })
        #expect(decoded.changes.count == 4)
    }

    @Test("do not tell the venue's time zero from none")
    func timeZero() throws {
        let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")
        let ticker = Ticker(priceScale: .zero, sizeScale: .zero, venueTime: .zero, receivedTime: .zero)
        let (_, event) = try EnvelopeDecoder.decode(EventEncoder.encode(.ticker(id, ticker)))
        guard case .ticker(_, let decoded) = event else {
            Issue.record("not a ticker")
            return
        }
        #expect(decoded.venueTime == nil)
    }

    @Test("carry a candle of the venue's as such")
    func venueCandle() throws {
        var rng = SeededGenerator(seed: 1)
        let envelope = try Bitpal_V1_Envelope(serializedBytes: EventEncoder.encode(rng.event(kind: 2)))
        #expect(envelope.candle.isFromVenue)
    }

    @Test("carry a mark price at its own scale, on a topic that is retained")
    func markPrice() throws {
        let id = InstrumentID(venue: .binanceUSDM, symbol: "BTCUSDT")
        let mark = MarkPrice(
            price: try DecimalNumber(parsing: "11794.15004321"), venueTime: Timestamp(nanoseconds: 5),
            receivedTime: Timestamp(nanoseconds: 7))
        let (_, event) = try EnvelopeDecoder.decode(EventEncoder.encode(.mark(id, mark)))
        guard case .mark(id, mark) = event else {
            Issue.record("not that mark price")
            return
        }
        #expect(Topic.mark(id) == "mark.binance-usdm.BTCUSDT." && Topic.isState(Topic.mark(id)))
        #expect(Topic.instrument(in: Topic.mark(id)) == id)
    }

    @Test("carry what is not known of a derivative as nothing, on a topic that is retained")
    func derivative() throws {
        let id = InstrumentID(venue: .binanceUSDM, symbol: "BTCUSDT")
        var ticker = DerivativeTicker(receivedTime: Timestamp(nanoseconds: 7))
        ticker.fundingRate = try DecimalNumber(parsing: "-0.00012500")
        ticker.openInterest = try DecimalNumber(parsing: "10659.509")
        ticker.openInterestUnit = .base
        let bytes = EventEncoder.encode(.derivative(id, ticker))
        let message = try Bitpal_V1_Envelope(serializedBytes: bytes).derivativeTicker
        #expect(message.fundingRate == "-0.00012500" && message.markPrice.isEmpty)
        #expect(message.nextFundingTimeUnixNanos == 0 && message.openInterestUnit == .base)
        guard case .derivative(id, ticker) = try EnvelopeDecoder.decode(bytes).1 else {
            Issue.record("not that state")
            return
        }
        #expect(Topic.derivative(id) == "derivative.binance-usdm.BTCUSDT.")
        #expect(Topic.isState(Topic.derivative(id)) && !Topic.isState(Topic.liquidation(id)))
        #expect(Topic.instrument(in: Topic.derivative(id)) == id)
        #expect(Topic.liquidation(id) == "liquidation.binance-usdm.BTCUSDT.")
        #expect(Topic.instrument(in: Topic.liquidation(id)) == id)
    }

    @Test("of derivatives are refused where a number is none, or nobody knows what it counts")
    func wrongDerivative() throws {
        var envelope = Bitpal_V1_Envelope()
        envelope.derivativeTicker.instrument = "okx:BTC-USDT-SWAP"
        envelope.derivativeTicker.fundingRate = "1e"
        #expect(throws: WireError.invalidField("funding_rate")) { try EnvelopeDecoder.decode(envelope) }
        envelope.derivativeTicker.fundingRate = ""
        envelope.derivativeTicker.openInterest = "12"
        #expect(throws: WireError.invalidField("open_interest_unit")) { try EnvelopeDecoder.decode(envelope) }
        envelope.liquidation.instrument = "okx:BTC-USDT-SWAP"
        #expect(throws: WireError.invalidField("side")) { try EnvelopeDecoder.decode(envelope) }
        envelope.liquidation.side = .sell
        envelope.liquidation.sizeScale = 19
        #expect(throws: WireError.invalidField("size_scale")) { try EnvelopeDecoder.decode(envelope) }
    }
}
