import Instruments
import MarketData
import SwiftProtobuf

/// Wire to domain: any bytes give a message or one typed error.
public enum EnvelopeDecoder {
    /// Decodes an envelope of any layout.
    ///
    /// - Throws: ``WireError``; the caller counts it and goes on with the next message.
    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> (MessageHeader, WireEvent)
    {
        try decode(try parse(bytes))
    }

    /// Decodes an envelope of any layout.
    ///
    /// - Throws: ``WireError``; the caller counts it and goes on with the next message.
    public static func decode(_ bytes: [UInt8]) throws(WireError) -> (MessageHeader, WireEvent) {
        let envelope: Bitpal_V1_Envelope
        do { envelope = try Bitpal_V1_Envelope(serializedBytes: bytes) } catch { throw .notProtobuf }
        return try decode(envelope)
    }

    /// Decodes an envelope that is already parsed.
    ///
    /// - Throws: ``WireError/noEvent`` or ``WireError/invalidField(_:)``.
    public static func decode(_ envelope: Bitpal_V1_Envelope) throws(WireError) -> (MessageHeader, WireEvent)
    {
        let header = MessageHeader(
            producer: envelope.producer, epoch: envelope.epoch, sequence: envelope.sequence,
            publishedTime: Timestamp(nanoseconds: envelope.publishedTimeUnixNanos))
        return (header, try event(envelope))
    }

    /// Parses the generated message without looking at its fields.
    ///
    /// - Throws: ``WireError/notProtobuf``.
    public static func parse(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> Bitpal_V1_Envelope {
        do {
            return try Bitpal_V1_Envelope(serializedBytes: bytes.bytes)
        } catch {
            throw .notProtobuf
        }
    }

    private static func event(_ envelope: Bitpal_V1_Envelope) throws(WireError) -> WireEvent {
        guard let event = envelope.event else { throw .noEvent }
        switch event {
        case .trade(let message): return .trade(try instrument(message.instrument), try decode(message))
        case .ticker(let message): return .ticker(try instrument(message.instrument), try decode(message))
        case .markPrice(let message): return .mark(try instrument(message.instrument), try decode(message))
        case .derivativeTicker(let message):
            return .derivative(try instrument(message.instrument), try message.domain())
        case .liquidation(let message):
            return .liquidation(try instrument(message.instrument), try message.domain())
        // A candle of ours may be the venue's where the feed had a gap: it has an exact volume all the same.
        case .candle(let message) where !message.isFromVenue || !message.baseVolume.isEmpty:
            return .madeCandle(try instrument(message.instrument), try checked(message))
        case .candle(let message): return .candle(try instrument(message.instrument), try decode(message))
        case .dayTicker(let message):
            return .dayTicker(try instrument(message.instrument), try checked(message))
        case .marketTickers(let message): return .marketTickers(try message.domain())
        case .indexPrice(let message): return .indexPrice(message)
        case .portfolioValuation(let message): return .portfolioValuation(message)
        case .bookDepth(let message):
            return .bookDepth(try instrument(message.instrument), try checked(message))
        case .bookDelta(let message):
            return .bookDelta(try instrument(message.instrument), try decode(message))
        case .bookStateChange(let message):
            return .bookStateChange(try instrument(message.instrument), try decode(message))
        case .bookSnapshot(let message):
            return .bookSnapshot(try instrument(message.instrument), try decode(message))
        case .bookTop(let message): return .bookTop(try instrument(message.instrument), try decode(message))
        case .bookAudit(let message): return .bookAudit(try instrument(message.instrument), message)
        case .tradesStored(let message):
            return .tradesStored(
                try instrument(message.instrument),
                TradesStored(
                    lastTradeID: message.lastTradeID,
                    lastVenueTime: Timestamp(nanoseconds: message.lastVenueTimeUnixNanos),
                    inserted: message.inserted))
        case .heartbeat(let message):
            guard message.topics.count == message.sequences.count else { throw .invalidField("sequences") }
            return .heartbeat(message)
        case .feedStatus(let message): return .feedStatus(message)
        case .serviceStatus(let message): return .serviceStatus(message)
        case .controlCommand(let message): return .controlCommand(message)
        case .controlReply(let message): return .controlReply(message)
        }
    }

    private static func instrument(_ text: String) throws(WireError) -> InstrumentID {
        guard let id = InstrumentID(text) else { throw .invalidField("instrument") }
        return id
    }

    static func scale(_ places: UInt32, _ name: StaticString) throws(WireError) -> Scale {
        guard let scale = Scale(Int(places)) else { throw .invalidField(name) }
        return scale
    }

    static func time(_ nanos: Int64) -> Timestamp? {
        nanos == 0 ? nil : Timestamp(nanoseconds: nanos)
    }

    private static func checked(_ message: Bitpal_V1_Candle) throws(WireError) -> Bitpal_V1_Candle {
        _ = try scale(message.priceScale, "price_scale")
        _ = try scale(message.sizeScale, "size_scale")
        return message
    }

    private static func checked(_ message: Bitpal_V1_DayTicker) throws(WireError) -> Bitpal_V1_DayTicker {
        _ = try scale(message.priceScale, "price_scale")
        _ = try scale(message.sizeScale, "size_scale")
        return message
    }

    private static func checked(_ message: Bitpal_V1_BookDepth) throws(WireError) -> Bitpal_V1_BookDepth {
        _ = try scale(message.priceScale, "price_scale")
        _ = try scale(message.sizeScale, "size_scale")
        guard message.bidPrices.count == message.bidSizes.count else { throw .invalidField("bid_sizes") }
        guard message.askPrices.count == message.askSizes.count else { throw .invalidField("ask_sizes") }
        return message
    }

    private static func decode(_ message: Bitpal_V1_Trade) throws(WireError) -> Trade {
        guard message.side == .buy || message.side == .sell else { throw .invalidField("side") }
        return Trade(
            id: message.tradeID, side: message.side == .buy ? .buy : .sell, price: Price(message.price),
            size: Quantity(message.size), priceScale: try scale(message.priceScale, "price_scale"),
            sizeScale: try scale(message.sizeScale, "size_scale"),
            venueTime: Timestamp(nanoseconds: message.venueTimeUnixNanos),
            receivedTime: Timestamp(nanoseconds: message.receivedTimeUnixNanos),
            isAggregate: message.isAggregate,
            isBackfill: message.isBackfill)
    }

    private static func decode(_ message: Bitpal_V1_Ticker) throws(WireError) -> Ticker {
        Ticker(
            bidPrice: message.hasBidPrice ? Price(message.bidPrice) : nil,
            bidSize: message.hasBidSize ? Quantity(message.bidSize) : nil,
            askPrice: message.hasAskPrice ? Price(message.askPrice) : nil,
            askSize: message.hasAskSize ? Quantity(message.askSize) : nil,
            lastPrice: message.hasLastPrice ? Price(message.lastPrice) : nil,
            priceScale: try scale(message.priceScale, "price_scale"),
            sizeScale: try scale(message.sizeScale, "size_scale"),
            venueTime: time(message.venueTimeUnixNanos),
            receivedTime: Timestamp(nanoseconds: message.receivedTimeUnixNanos),
            updateID: message.hasUpdateID ? message.updateID : nil)
    }

    private static func decode(_ message: Bitpal_V1_MarkPrice) throws(WireError) -> MarkPrice {
        MarkPrice(
            price: DecimalNumber(units: message.price, scale: try scale(message.priceScale, "price_scale")),
            venueTime: Timestamp(nanoseconds: message.venueTimeUnixNanos),
            receivedTime: Timestamp(nanoseconds: message.receivedTimeUnixNanos))
    }

    private static func decode(_ message: Bitpal_V1_Candle) throws(WireError) -> VenueCandle {
        VenueCandle(
            interval: message.interval, start: Timestamp(nanoseconds: message.startUnixNanos),
            stop: Timestamp(nanoseconds: message.stopUnixNanos), open: Price(message.open),
            high: Price(message.high),
            low: Price(message.low), close: Price(message.close), volume: Quantity(message.volume),
            tradeCount: message.tradeCount, isClosed: message.isClosed,
            priceScale: try scale(message.priceScale, "price_scale"),
            sizeScale: try scale(message.sizeScale, "size_scale"),
            venueTime: Timestamp(nanoseconds: message.venueTimeUnixNanos),
            receivedTime: Timestamp(nanoseconds: message.receivedTimeUnixNanos))
    }

    private static func decode(_ message: Bitpal_V1_BookDelta) throws(WireError) -> BookDelta {
        guard message.bidPrices.count == message.bidSizes.count else { throw .invalidField("bid_sizes") }
        guard message.askPrices.count == message.askSizes.count else { throw .invalidField("ask_sizes") }
        var changes: [BookLevelChange] = []
        changes.reserveCapacity(message.bidPrices.count + message.askPrices.count)
        for (price, size) in zip(message.bidPrices, message.bidSizes) {
            changes.append(BookLevelChange(side: .bid, price: Price(price), size: Quantity(size)))
        }
        for (price, size) in zip(message.askPrices, message.askSizes) {
            changes.append(BookLevelChange(side: .ask, price: Price(price), size: Quantity(size)))
        }
        return BookDelta(
            priceScale: try scale(message.priceScale, "price_scale"),
            sizeScale: try scale(message.sizeScale, "size_scale"), changes: changes,
            venueTime: time(message.venueTimeUnixNanos),
            receivedTime: Timestamp(nanoseconds: message.receivedTimeUnixNanos))
    }

    private static func decode(_ message: Bitpal_V1_BookStateChange) throws(WireError) -> BookStateChange {
        guard let state = message.state.domain else { throw .invalidField("state") }
        guard let reason = message.reason.domain else { throw .invalidField("reason") }
        return BookStateChange(
            state: state, reason: reason, detail: message.detail,
            receivedTime: Timestamp(nanoseconds: message.receivedTimeUnixNanos))
    }

    private static func decode(_ message: Bitpal_V1_BookSnapshot) throws(WireError) -> BookSnapshot {
        guard let state = message.state.domain else { throw .invalidField("state") }
        guard let reason = message.reason.domain else { throw .invalidField("reason") }
        guard message.bidPrices.count == message.bidSizes.count else { throw .invalidField("bid_sizes") }
        guard message.askPrices.count == message.askSizes.count else { throw .invalidField("ask_sizes") }
        return BookSnapshot(
            state: state, reason: reason, detail: message.detail,
            priceScale: try scale(message.priceScale, "price_scale"),
            sizeScale: try scale(message.sizeScale, "size_scale"),
            bids: levels(message.bidPrices, message.bidSizes),
            asks: levels(message.askPrices, message.askSizes),
            continues: message.hasContinues ? message.continues.domain : nil,
            venueTime: time(message.venueTimeUnixNanos),
            receivedTime: Timestamp(nanoseconds: message.receivedTimeUnixNanos))
    }

    private static func levels(_ prices: [Int64], _ sizes: [Int64]) -> [BookLevel] {
        zip(prices, sizes).map { BookLevel(price: Price($0), size: Quantity($1)) }
    }

    private static func decode(_ message: Bitpal_V1_BookTop) throws(WireError) -> BookTop {
        guard let state = message.state.domain else { throw .invalidField("state") }
        guard let reason = message.reason.domain else { throw .invalidField("reason") }
        let hasBid = message.hasBidPrice && message.hasBidSize
        let hasAsk = message.hasAskPrice && message.hasAskSize
        return BookTop(
            state: state, reason: reason, priceScale: try scale(message.priceScale, "price_scale"),
            sizeScale: try scale(message.sizeScale, "size_scale"),
            bid: hasBid ? BookLevel(price: Price(message.bidPrice), size: Quantity(message.bidSize)) : nil,
            ask: hasAsk ? BookLevel(price: Price(message.askPrice), size: Quantity(message.askSize)) : nil,
            at: message.hasAt ? message.at.domain : nil, venueTime: time(message.venueTimeUnixNanos),
            receivedTime: Timestamp(nanoseconds: message.receivedTimeUnixNanos))
    }
}
