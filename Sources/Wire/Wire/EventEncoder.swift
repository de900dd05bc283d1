import Instruments
import MarketData
import SwiftProtobuf

/// Domain to wire: the bytes of an envelope that holds an event and no header.
///
/// The publisher puts the header in front; in protobuf a concatenation of messages is their merge.
public enum EventEncoder {
    /// The bytes of the event.
    public static func encode(_ event: WireEvent) -> [UInt8] {
        var envelope = Bitpal_V1_Envelope()
        envelope.event = message(event)
        do {
            return try envelope.serializedBytes()
        } catch {
            // proto3 messages have no required fields, and no field here is an Any: nothing can be missing.
            preconditionFailure("protobuf encoding failed: \(error)")
        }
    }

    /// The whole envelope with its header, as it would travel.
    public static func envelope(_ event: WireEvent, header: MessageHeader) -> Bitpal_V1_Envelope {
        var envelope = Bitpal_V1_Envelope()
        envelope.producer = header.producer
        envelope.epoch = header.epoch
        envelope.sequence = header.sequence
        envelope.publishedTimeUnixNanos = header.publishedTime.nanoseconds
        envelope.event = message(event)
        return envelope
    }

    private static func message(_ event: WireEvent) -> Bitpal_V1_Envelope.OneOf_Event {
        switch event {
        case .trade(let id, let trade): .trade(encode(trade, id))
        case .ticker(let id, let ticker): .ticker(encode(ticker, id))
        case .mark(let id, let mark): .markPrice(encode(mark, id))
        case .derivative(let id, let ticker): .derivativeTicker(Bitpal_V1_DerivativeTicker(ticker, of: id))
        case .liquidation(let id, let liquidation):
            .liquidation(Bitpal_V1_Liquidation(liquidation, of: id))
        case .candle(let id, let candle): .candle(encode(candle, id))
        case .madeCandle(let id, let candle): .candle(named(candle, id))
        case .dayTicker(let id, let ticker): .dayTicker(named(ticker, id))
        case .marketTickers(let part): .marketTickers(Bitpal_V1_MarketTickers(part))
        case .indexPrice(let index): .indexPrice(index)
        case .portfolioValuation(let valuation): .portfolioValuation(valuation)
        case .bookDepth(let id, let depth): .bookDepth(named(depth, id))
        case .bookDelta(let id, let delta): .bookDelta(encode(delta, id))
        case .bookStateChange(let id, let change): .bookStateChange(encode(change, id))
        case .bookSnapshot(let id, let snapshot): .bookSnapshot(encode(snapshot, id))
        case .bookTop(let id, let top): .bookTop(encode(top, id))
        case .bookAudit(let id, let audit): .bookAudit(named(audit, id))
        case .tradesStored(let id, let stored): .tradesStored(encode(stored, id))
        case .heartbeat(let heartbeat): .heartbeat(heartbeat)
        case .feedStatus(let status): .feedStatus(status)
        case .serviceStatus(let status): .serviceStatus(status)
        case .controlCommand(let command): .controlCommand(command)
        case .controlReply(let reply): .controlReply(reply)
        }
    }

    private static func named(_ candle: Bitpal_V1_Candle, _ id: InstrumentID) -> Bitpal_V1_Candle {
        var message = candle
        message.instrument = id.description
        return message
    }

    private static func named(_ ticker: Bitpal_V1_DayTicker, _ id: InstrumentID) -> Bitpal_V1_DayTicker {
        var message = ticker
        message.instrument = id.description
        return message
    }

    private static func named(_ depth: Bitpal_V1_BookDepth, _ id: InstrumentID) -> Bitpal_V1_BookDepth {
        var message = depth
        message.instrument = id.description
        return message
    }

    private static func named(_ audit: Bitpal_V1_BookAudit, _ id: InstrumentID) -> Bitpal_V1_BookAudit {
        var message = audit
        message.instrument = id.description
        return message
    }

    private static func encode(_ trade: Trade, _ id: InstrumentID) -> Bitpal_V1_Trade {
        var message = Bitpal_V1_Trade()
        message.instrument = id.description
        message.tradeID = trade.id
        message.side = trade.side == .buy ? .buy : .sell
        message.price = trade.price.rawValue
        message.priceScale = UInt32(trade.priceScale.places)
        message.size = trade.size.rawValue
        message.sizeScale = UInt32(trade.sizeScale.places)
        message.venueTimeUnixNanos = trade.venueTime.nanoseconds
        message.receivedTimeUnixNanos = trade.receivedTime.nanoseconds
        message.isAggregate = trade.isAggregate
        message.isBackfill = trade.isBackfill
        return message
    }

    private static func encode(_ ticker: Ticker, _ id: InstrumentID) -> Bitpal_V1_Ticker {
        var message = Bitpal_V1_Ticker()
        message.instrument = id.description
        message.priceScale = UInt32(ticker.priceScale.places)
        message.sizeScale = UInt32(ticker.sizeScale.places)
        if let price = ticker.bidPrice { message.bidPrice = price.rawValue }
        if let size = ticker.bidSize { message.bidSize = size.rawValue }
        if let price = ticker.askPrice { message.askPrice = price.rawValue }
        if let size = ticker.askSize { message.askSize = size.rawValue }
        if let price = ticker.lastPrice { message.lastPrice = price.rawValue }
        if let id = ticker.updateID { message.updateID = id }
        message.venueTimeUnixNanos = ticker.venueTime?.nanoseconds ?? 0
        message.receivedTimeUnixNanos = ticker.receivedTime.nanoseconds
        return message
    }

    private static func encode(_ mark: MarkPrice, _ id: InstrumentID) -> Bitpal_V1_MarkPrice {
        var message = Bitpal_V1_MarkPrice()
        message.instrument = id.description
        message.price = mark.price.units
        message.priceScale = UInt32(mark.price.scale.places)
        message.venueTimeUnixNanos = mark.venueTime.nanoseconds
        message.receivedTimeUnixNanos = mark.receivedTime.nanoseconds
        return message
    }

    private static func encode(_ candle: VenueCandle, _ id: InstrumentID) -> Bitpal_V1_Candle {
        var message = Bitpal_V1_Candle()
        message.instrument = id.description
        message.interval = candle.interval
        message.startUnixNanos = candle.start.nanoseconds
        message.stopUnixNanos = candle.stop.nanoseconds
        message.priceScale = UInt32(candle.priceScale.places)
        message.sizeScale = UInt32(candle.sizeScale.places)
        message.open = candle.open.rawValue
        message.high = candle.high.rawValue
        message.low = candle.low.rawValue
        message.close = candle.close.rawValue
        message.volume = candle.volume.rawValue
        message.tradeCount = candle.tradeCount
        message.isClosed = candle.isClosed
        message.isFromVenue = true
        message.venueTimeUnixNanos = candle.venueTime.nanoseconds
        message.receivedTimeUnixNanos = candle.receivedTime.nanoseconds
        return message
    }

    private static func encode(_ delta: BookDelta, _ id: InstrumentID) -> Bitpal_V1_BookDelta {
        var message = Bitpal_V1_BookDelta()
        message.instrument = id.description
        message.priceScale = UInt32(delta.priceScale.places)
        message.sizeScale = UInt32(delta.sizeScale.places)
        for change in delta.changes {
            if change.side == .bid {
                message.bidPrices.append(change.price.rawValue)
                message.bidSizes.append(change.size.rawValue)
            } else {
                message.askPrices.append(change.price.rawValue)
                message.askSizes.append(change.size.rawValue)
            }
        }
        message.venueTimeUnixNanos = delta.venueTime?.nanoseconds ?? 0
        message.receivedTimeUnixNanos = delta.receivedTime.nanoseconds
        return message
    }

    private static func encode(_ change: BookStateChange, _ id: InstrumentID) -> Bitpal_V1_BookStateChange {
        var message = Bitpal_V1_BookStateChange()
        message.instrument = id.description
        message.state = Bitpal_V1_BookState(change.state)
        message.reason = Bitpal_V1_BookStateReason(change.reason)
        message.detail = change.detail
        message.receivedTimeUnixNanos = change.receivedTime.nanoseconds
        return message
    }

    private static func encode(_ snapshot: BookSnapshot, _ id: InstrumentID) -> Bitpal_V1_BookSnapshot {
        var message = Bitpal_V1_BookSnapshot()
        message.instrument = id.description
        message.state = Bitpal_V1_BookState(snapshot.state)
        message.reason = Bitpal_V1_BookStateReason(snapshot.reason)
        message.detail = snapshot.detail
        message.priceScale = UInt32(snapshot.priceScale.places)
        message.sizeScale = UInt32(snapshot.sizeScale.places)
        message.bidPrices = snapshot.bids.map(\.price.rawValue)
        message.bidSizes = snapshot.bids.map(\.size.rawValue)
        message.askPrices = snapshot.asks.map(\.price.rawValue)
        message.askSizes = snapshot.asks.map(\.size.rawValue)
        if let position = snapshot.continues { message.continues = Bitpal_V1_StreamPosition(position) }
        message.venueTimeUnixNanos = snapshot.venueTime?.nanoseconds ?? 0
        message.receivedTimeUnixNanos = snapshot.receivedTime.nanoseconds
        return message
    }

    private static func encode(_ top: BookTop, _ id: InstrumentID) -> Bitpal_V1_BookTop {
        var message = Bitpal_V1_BookTop()
        message.instrument = id.description
        message.state = Bitpal_V1_BookState(top.state)
        message.reason = Bitpal_V1_BookStateReason(top.reason)
        message.priceScale = UInt32(top.priceScale.places)
        message.sizeScale = UInt32(top.sizeScale.places)
        if let bid = top.bid {
            message.bidPrice = bid.price.rawValue
            message.bidSize = bid.size.rawValue
        }
        if let ask = top.ask {
            message.askPrice = ask.price.rawValue
            message.askSize = ask.size.rawValue
        }
        if let position = top.at { message.at = Bitpal_V1_StreamPosition(position) }
        message.venueTimeUnixNanos = top.venueTime?.nanoseconds ?? 0
        message.receivedTimeUnixNanos = top.receivedTime.nanoseconds
        return message
    }

    private static func encode(_ stored: TradesStored, _ id: InstrumentID) -> Bitpal_V1_TradesStored {
        var message = Bitpal_V1_TradesStored()
        message.instrument = id.description
        message.lastTradeID = stored.lastTradeID
        message.lastVenueTimeUnixNanos = stored.lastVenueTime.nanoseconds
        message.inserted = stored.inserted
        return message
    }
}
