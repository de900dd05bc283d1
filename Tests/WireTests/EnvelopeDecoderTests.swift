import Instruments
import MarketData
import Support
import SwiftProtobuf
import Testing
import Wire

@Suite("Envelope decoder")
struct EnvelopeDecoderTests {
    @Test(
        "says when bytes are no protobuf",
        arguments: [[0xFF], [0x0A], [0x0A, 5, 0x61], [0x11, 1], [0x0F], [0x0C]])
    func notProtobuf(bytes: [UInt8]) {
        #expect(throws: WireError.notProtobuf) { try EnvelopeDecoder.decode(bytes) }
    }

    @Test("says when there is no event that it knows")
    func noEvent() throws {
        #expect(throws: WireError.noEvent) { try EnvelopeDecoder.decode([]) }
        // Field 100 as a message: an event of a later version.
        #expect(throws: WireError.noEvent) { try EnvelopeDecoder.decode([0xA2, 0x06, 0x00]) }
        #expect(throws: WireError.noEvent) {
            try EnvelopeDecoder.decode(Bitpal_V1_Envelope.with { $0.sequence = 5 })
        }
    }

    @Test("refuses a name that is no UTF-8")
    func notUTF8() {
        #expect(throws: WireError.notProtobuf) { try EnvelopeDecoder.decode([0x0A, 2, 0xC3, 0x28]) }
    }

    @Test(
        "refuses an instrument without venue or symbol", arguments: ["", ":", "kraken", "kraken:", ":BTC"],
        0..<8)
    func instruments(text: String, kind: Int) throws {
        var rng = SeededGenerator(seed: 3)
        var envelope = try Bitpal_V1_Envelope(serializedBytes: EventEncoder.encode(rng.event(kind: kind)))
        switch kind {
        case 0: envelope.trade.instrument = text
        case 1: envelope.ticker.instrument = text
        case 2: envelope.candle.instrument = text
        case 3: envelope.bookDelta.instrument = text
        case 4: envelope.bookStateChange.instrument = text
        case 5: envelope.bookSnapshot.instrument = text
        case 6: envelope.bookTop.instrument = text
        default: envelope.tradesStored.instrument = text
        }
        #expect(throws: WireError.invalidField("instrument")) { try EnvelopeDecoder.decode(envelope) }
    }

    @Test("refuses scales beyond 18 places", arguments: [19, 20, 255, 256, 1 << 31, .max] as [UInt32])
    func scales(places: UInt32) throws {
        for kind in [0, 1, 2, 3, 5, 6] {
            var rng = SeededGenerator(seed: 3)
            let valid = try Bitpal_V1_Envelope(serializedBytes: EventEncoder.encode(rng.event(kind: kind)))
            #expect(throws: WireError.invalidField("price_scale"), "kind \(kind)") {
                try EnvelopeDecoder.decode(withScales(valid, price: places, size: nil))
            }
            #expect(throws: WireError.invalidField("size_scale"), "kind \(kind)") {
                try EnvelopeDecoder.decode(withScales(valid, price: nil, size: places))
            }
        }
    }

    @Test("refuses states, reasons and sides that it does not know", arguments: [0, -1, 18, 256, 300, .max])
    func unknownNumbers(number: Int) throws {
        var change = Bitpal_V1_BookStateChange.with {
            $0.instrument = "kraken:BTC/USD"
            $0.state = .live
            $0.reason = .verified
        }
        change.state = Bitpal_V1_BookState(rawValue: number) ?? .unspecified
        #expect(throws: WireError.invalidField("state")) {
            try EnvelopeDecoder.decode(.with { $0.bookStateChange = change })
        }
        change.state = .live
        change.reason = Bitpal_V1_BookStateReason(rawValue: number) ?? .unspecified
        #expect(throws: WireError.invalidField("reason")) {
            try EnvelopeDecoder.decode(.with { $0.bookStateChange = change })
        }
        let trade = Bitpal_V1_Trade.with {
            $0.instrument = "kraken:BTC/USD"
            $0.side = Bitpal_V1_Side(rawValue: number) ?? .unspecified
        }
        #expect(throws: WireError.invalidField("side")) {
            try EnvelopeDecoder.decode(.with { $0.trade = trade })
        }
    }

    @Test("refuses the states of snapshots and tops alike")
    func unknownStates() {
        let id = "kraken:BTC/USD"
        let snapshot = Bitpal_V1_BookSnapshot.with { $0.instrument = id }
        #expect(throws: WireError.invalidField("state")) {
            try EnvelopeDecoder.decode(.with { $0.bookSnapshot = snapshot })
        }
        let top = Bitpal_V1_BookTop.with {
            $0.instrument = id
            $0.state = .stale
        }
        #expect(throws: WireError.invalidField("reason")) {
            try EnvelopeDecoder.decode(.with { $0.bookTop = top })
        }
    }

    @Test("refuses prices and sizes that do not pair")
    func unpairedLevels() {
        let delta = Bitpal_V1_BookDelta.with {
            $0.instrument = "kraken:BTC/USD"
            $0.bidPrices = [1, 2]
            $0.bidSizes = [1, 2]
            $0.askPrices = [3]
            $0.askSizes = [3]
        }
        let snapshot = Bitpal_V1_BookSnapshot.with {
            $0.instrument = "kraken:BTC/USD"
            $0.state = .live
            $0.reason = .verified
            $0.bidPrices = [1, 2]
            $0.bidSizes = [1, 2]
            $0.askPrices = [3]
            $0.askSizes = [3]
        }
        #expect(throws: WireError.invalidField("bid_sizes")) {
            try EnvelopeDecoder.decode(
                .with {
                    $0.bookDelta = delta; $0.bookDelta.bidSizes = [1]
                })
        }
        #expect(throws: WireError.invalidField("ask_sizes")) {
            try EnvelopeDecoder.decode(
                .with {
                    $0.bookDelta = delta; $0.bookDelta.askPrices = []
                })
        }
        #expect(throws: WireError.invalidField("bid_sizes")) {
            try EnvelopeDecoder.decode(
                .with {
                    $0.bookSnapshot = snapshot; $0.bookSnapshot.bidPrices = [1]
                })
        }
        #expect(throws: WireError.invalidField("ask_sizes")) {
            try EnvelopeDecoder.decode(
                .with {
                    $0.bookSnapshot = snapshot; $0.bookSnapshot.askSizes = [3, 4]
                })
        }
        let heartbeat = Bitpal_V1_Heartbeat.with {
            $0.topics = ["a."]
            $0.sequences = [1, 2]
        }
        #expect(throws: WireError.invalidField("sequences")) {
            try EnvelopeDecoder.decode(.with { $0.heartbeat = heartbeat })
        }
    }

    @Test("takes a side of a top only whole")
    func halfLevels() throws {
        let envelope = Bitpal_V1_Envelope.with {
            $0.bookTop = .with {
                $0.instrument = "kraken:BTC/USD"
                $0.state = .live
                $0.reason = .verified
                $0.bidPrice = 0
                $0.askPrice = 0
                $0.askSize = 0
            }
        }
        guard case .bookTop(_, let top) = try EnvelopeDecoder.decode(envelope).1 else {
            Issue.record("not a top")
            return
        }
        #expect(top.bid == nil)
        #expect(top.ask == BookLevel(price: Price(0), size: .zero))
        #expect(top.at == nil)
    }

    @Test("passes over fields of later versions")
    func unknownFields() {
        property { rng in
            let event = rng.event(kind: rng.int(0...7))
            let bytes = EventEncoder.encode(event)
            // Field 1,000 as a number, and field 1,001 as bytes.
            let later: [UInt8] = [0xC0, 0x3E, 0x07, 0xCA, 0x3E, 0x03, 1, 2, 3]
            let (_, before) = try EnvelopeDecoder.decode(later + bytes)
            let (_, after) = try EnvelopeDecoder.decode(bytes + later)
            try #require(isSame(before, event) && isSame(after, event))
        }
    }

    @Test("gives a message or an error for damaged messages", arguments: 0..<SeededGenerator.eventKinds)
    func damagedMessages(kind: Int) {
        property(cases: 500) { rng in
            var bytes: [UInt8] = try EventEncoder.envelope(rng.event(kind: kind), header: rng.header())
                .serializedBytes()
            for _ in 0..<rng.int(1...4) { bytes = rng.damaged(bytes) }
            guard let (_, event) = try? EnvelopeDecoder.decode(bytes) else { return }
            let (_, again) = try EnvelopeDecoder.decode(EventEncoder.encode(event))
            try #require(isSame(again, event))
        }
    }

    @Test("gives a message or an error for any bytes")
    func arbitraryBytes() {
        property(cases: 5_000) { rng in
            let bytes = rng.bytes(0...80)
            _ = try? EnvelopeDecoder.decode(bytes)
            _ = bytes.withUnsafeBytes { try? EnvelopeDecoder.parse($0) }
        }
    }

    @Test("is not led into endless depth by nested groups", arguments: [100, 10_000, 1_000_000])
    func deepGroups(depth: Int) {
        // Field 1,000 opens a group inside a group inside a group.
        let open =
            [UInt8](repeating: 0, count: depth * 2).indices.map { $0 % 2 == 0 ? 0xC3 : 0x3E } as [UInt8]
        let close = open.map { $0 == 0xC3 ? 0xC4 : $0 } as [UInt8]
        #expect(throws: WireError.self) { try EnvelopeDecoder.decode(open) }
        #expect(throws: WireError.self) { try EnvelopeDecoder.decode(open + close) }
    }

    @Test("describes an error in one line")
    func errors() {
        #expect(
            "\(WireError.invalidField("state"))" == "field state has a value that the schema does not allow")
        #expect(WireError.invalidField("state") != WireError.invalidField("reason"))
        #expect(WireError.notProtobuf != WireError.noEvent)
        #expect(Set([WireError.noEvent, .noEvent, .invalidField("a")]).count == 2)
    }

    private func withScales(_ valid: Bitpal_V1_Envelope, price: UInt32?, size: UInt32?) -> Bitpal_V1_Envelope
    {
        var envelope = valid
        switch valid.event {
        case .trade(let message):
            envelope.trade.priceScale = price ?? message.priceScale
            envelope.trade.sizeScale = size ?? message.sizeScale
        case .ticker(let message):
            envelope.ticker.priceScale = price ?? message.priceScale
            envelope.ticker.sizeScale = size ?? message.sizeScale
        case .candle(let message):
            envelope.candle.priceScale = price ?? message.priceScale
            envelope.candle.sizeScale = size ?? message.sizeScale
        case .bookDelta(let message):
            envelope.bookDelta.priceScale = price ?? message.priceScale
            envelope.bookDelta.sizeScale = size ?? message.sizeScale
        case .bookSnapshot(let message):
            envelope.bookSnapshot.priceScale = price ?? message.priceScale
            envelope.bookSnapshot.sizeScale = size ?? message.sizeScale
        case .bookTop(let message):
            envelope.bookTop.priceScale = price ?? message.priceScale
            envelope.bookTop.sizeScale = size ?? message.sizeScale
        case .bookDepth(let message):
            envelope.bookDepth.priceScale = price ?? message.priceScale
            envelope.bookDepth.sizeScale = size ?? message.sizeScale
        case .dayTicker(let message):
            envelope.dayTicker.priceScale = price ?? message.priceScale
            envelope.dayTicker.sizeScale = size ?? message.sizeScale
        default: break
        }
        return envelope
    }
}
