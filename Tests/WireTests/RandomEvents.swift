import Instruments
import MarketData
import Support
import Wire

extension SeededGenerator {
    /// How many kinds of event there are.
    static let eventKinds = 21

    /// An event of a kind, 0..<21, with any values that the schema allows.
    mutating func event(kind: Int) -> WireEvent {
        let id = instrumentID()
        switch kind {
        case 0: return .trade(id, trade())
        case 1: return .ticker(id, ticker())
        case 2: return .candle(id, candle())
        case 3: return .bookDelta(id, delta())
        case 4: return .bookStateChange(id, stateChange())
        case 5: return .bookSnapshot(id, snapshot())
        case 6: return .bookTop(id, top())
        case 7:
            return .tradesStored(
                id, TradesStored(lastTradeID: text(), lastVenueTime: timestamp(), inserted: next()))
        case 13: return .madeCandle(id, made(for: id))
        case 14: return .dayTicker(id, dayTicker(for: id))
        case 15: return .indexPrice(index())
        case 17: return .portfolioValuation(valuation())
        case 16: return .bookDepth(id, depth(for: id))
        case 18: return .derivative(id, derivative())
        case 19: return .liquidation(id, liquidation())
        case 20: return .bookAudit(id, audit(of: id))
        default: return operational(kind: kind)
        }
    }

    /// Any header.
    mutating func header() -> MessageHeader {
        MessageHeader(
            producer: text(), epoch: pick([0, 1, next(), .max]), sequence: pick([0, 1, next(), .max]),
            publishedTime: timestamp())
    }

    private mutating func audit(of id: InstrumentID) -> Bitpal_V1_BookAudit {
        var audit = Bitpal_V1_BookAudit()
        audit.instrument = id.description
        audit.isDone = chance(50)
        audit.detail = text()
        (audit.levelsCompared, audit.levelsDifferent) = (next(), next())
        audit.differences = (0..<int(0...3)).map { _ in text() }
        (audit.auditedTimeUnixNanos, audit.nextTimeUnixNanos) = (int64(), int64())
        return audit
    }

    private mutating func operational(kind: Int) -> WireEvent {
        switch kind {
        case 8:
            var heartbeat = Bitpal_V1_Heartbeat()
            for _ in 0..<int(0...5) {
                heartbeat.topics.append(text())
                heartbeat.sequences.append(next())
            }
            heartbeat.topicCount = next()
            return .heartbeat(heartbeat)
        case 9:
            var status = Bitpal_V1_FeedStatus()
            status.venue = text()
            status.state = pick([.connecting, .live, .disconnected, .silent])
            status.messagesReceived = next()
            status.connectedSinceUnixNanos = int64()
            status.subscriptionsLimit = next()
            return .feedStatus(status)
        case 10:
            var status = Bitpal_V1_ServiceStatus()
            status.service = text()
            status.isReady = chance(50)
            status.startedUnixNanos = int64()
            for _ in 0..<int(0...4) { status.figures[text()] = int64() }
            return .serviceStatus(status)
        case 11:
            var command = Bitpal_V1_ControlCommand()
            command.command = text()
            command.instrument = instrumentID().description
            command.requestID = text()
            return .controlCommand(command)
        default:
            var reply = Bitpal_V1_ControlReply()
            reply.requestID = text()
            reply.isDone = chance(50)
            reply.differences = (0..<int(0...3)).map { _ in text() }
            reply.levelsCompared = next()
            return .controlReply(reply)
        }
    }

    private mutating func made(for id: InstrumentID) -> Bitpal_V1_Candle {
        var candle = Bitpal_V1_Candle()
        candle.instrument = id.description
        candle.interval = text()
        candle.startUnixNanos = int64()
        candle.priceScale = UInt32(scale().places)
        candle.sizeScale = UInt32(scale().places)
        (candle.open, candle.high, candle.low, candle.close) = (int64(), int64(), int64(), int64())
        (candle.baseVolume, candle.quoteVolume, candle.averagePrice) = (text(), text(), text())
        (candle.isClosed, candle.isIncomplete, candle.isAmended) = (chance(50), chance(50), chance(50))
        return candle
    }

    private mutating func dayTicker(for id: InstrumentID) -> Bitpal_V1_DayTicker {
        var ticker = Bitpal_V1_DayTicker()
        ticker.instrument = id.description
        ticker.priceScale = UInt32(scale().places)
        ticker.sizeScale = UInt32(scale().places)
        if chance(50) { ticker.lastPrice = int64() }
        if chance(50) { ticker.openPrice = int64() }
        (ticker.baseVolume, ticker.changePercent, ticker.staleReason) = (text(), text(), text())
        ticker.tradeCount = next()
        ticker.bookState = pick([.live, .stale, .suspect, .syncing])
        return ticker
    }

    private mutating func index() -> Bitpal_V1_IndexPrice {
        var index = Bitpal_V1_IndexPrice()
        (index.pair, index.price, index.unavailable) = (text(), text(), text())
        for _ in 0..<int(0...4) {
            var part = Bitpal_V1_IndexConstituent()
            (part.instrument, part.price, part.weight, part.exclusion) = (text(), text(), text(), text())
            index.constituents.append(part)
        }
        return index
    }

    private mutating func valuation() -> Bitpal_V1_PortfolioValuation {
        var valuation = Bitpal_V1_PortfolioValuation()
        (valuation.portfolio, valuation.base, valuation.value) = (text(), text(), text())
        (valuation.timeUnixNanos, valuation.change) = (int64(), int64())
        for _ in 0..<int(0...4) {
            var position = Bitpal_V1_PortfolioPosition()
            (position.asset, position.amount, position.price) = (text(), text(), text())
            (position.source, position.value, position.stale) = (text(), text(), text())
            position.priceTimeUnixNanos = int64()
            valuation.positions.append(position)
            valuation.missing.append(text())
        }
        return valuation
    }

    private mutating func depth(for id: InstrumentID) -> Bitpal_V1_BookDepth {
        var depth = Bitpal_V1_BookDepth()
        depth.instrument = id.description
        depth.priceScale = UInt32(scale().places)
        depth.sizeScale = UInt32(scale().places)
        for _ in 0..<int(0...5) {
            depth.bidPrices.append(int64())
            depth.bidSizes.append(int64())
        }
        depth.askCount = UInt32(truncatingIfNeeded: next())
        return depth
    }

    private mutating func trade() -> Trade {
        Trade(
            id: text(), side: pick(Side.allCases), price: Price(int64()), size: Quantity(int64()),
            priceScale: scale(), sizeScale: scale(), venueTime: timestamp(), receivedTime: timestamp(),
            isAggregate: chance(50), isBackfill: chance(50))
    }

    private mutating func ticker() -> Ticker {
        Ticker(
            bidPrice: chance(50) ? Price(int64()) : nil, bidSize: chance(50) ? Quantity(int64()) : nil,
            askPrice: chance(50) ? Price(int64()) : nil, askSize: chance(50) ? Quantity(int64()) : nil,
            lastPrice: chance(50) ? Price(int64()) : nil, priceScale: scale(), sizeScale: scale(),
            venueTime: optionalTimestamp(), receivedTime: timestamp(), updateID: chance(50) ? int64() : nil)
    }

    private mutating func number() -> DecimalNumber {
        // The least Int64 has no text that is read again.
        DecimalNumber(units: int64() / 2, scale: scale())
    }

    private mutating func derivative() -> DerivativeTicker {
        var ticker = DerivativeTicker(venueTime: optionalTimestamp(), receivedTime: timestamp())
        if chance(50) { ticker.markPrice = number() }
        if chance(50) { ticker.indexPrice = number() }
        if chance(50) { ticker.fundingRate = number() }
        if chance(50) { ticker.predictedFundingRate = number() }
        if chance(50) { ticker.nextFundingTime = optionalTimestamp() }
        if chance(50) { ticker.fundingIntervalSeconds = UInt32(int(1...86_400)) }
        if chance(50) {
            ticker.openInterest = number()
            ticker.openInterestUnit = pick(OpenInterestUnit.allCases)
        }
        return ticker
    }

    private mutating func liquidation() -> Liquidation {
        Liquidation(
            id: chance(50) ? "a" + text() : nil, side: pick(Side.allCases), price: number(), size: number(),
            venueTime: optionalTimestamp(), receivedTime: timestamp())
    }

    private mutating func candle() -> VenueCandle {
        VenueCandle(
            interval: text(), start: timestamp(), stop: timestamp(), open: Price(int64()),
            high: Price(int64()),
            low: Price(int64()), close: Price(int64()), volume: Quantity(int64()), tradeCount: next(),
            isClosed: chance(50), priceScale: scale(), sizeScale: scale(), venueTime: timestamp(),
            receivedTime: timestamp())
    }

    /// Bids before asks: the wire keeps the order within a side only.
    private mutating func delta() -> BookDelta {
        let bids = levels().map { BookLevelChange(side: .bid, price: $0.price, size: $0.size) }
        let asks = levels().map { BookLevelChange(side: .ask, price: $0.price, size: $0.size) }
        return BookDelta(
            priceScale: scale(), sizeScale: scale(), changes: bids + asks, venueTime: optionalTimestamp(),
            receivedTime: timestamp())
    }

    private mutating func stateChange() -> BookStateChange {
        BookStateChange(
            state: pick(BookState.allCases), reason: pick(BookStateReason.allCases), detail: text(),
            receivedTime: timestamp())
    }

    private mutating func snapshot() -> BookSnapshot {
        BookSnapshot(
            state: pick(BookState.allCases), reason: pick(BookStateReason.allCases), detail: text(),
            priceScale: scale(), sizeScale: scale(), bids: levels(), asks: levels(),
            continues: chance(70) ? streamPosition() : nil, venueTime: optionalTimestamp(),
            receivedTime: timestamp())
    }

    private mutating func top() -> BookTop {
        BookTop(
            state: pick(BookState.allCases), reason: pick(BookStateReason.allCases), priceScale: scale(),
            sizeScale: scale(), bid: levels(0...1).first, ask: levels(0...1).first,
            at: chance(70) ? streamPosition() : nil, venueTime: optionalTimestamp(), receivedTime: timestamp()
        )
    }
}

/// Whether two events are of one kind and say the same.
func isSame(_ left: WireEvent, _ right: WireEvent) -> Bool {
    switch (left, right) {
    case (.trade(let id, let event), .trade(let otherID, let other)): id == otherID && event == other
    case (.ticker(let id, let event), .ticker(let otherID, let other)): id == otherID && event == other
    case (.candle(let id, let event), .candle(let otherID, let other)): id == otherID && event == other
    case (.derivative(let id, let event), .derivative(let otherID, let other)):
        id == otherID && event == other
    case (.liquidation(let id, let event), .liquidation(let otherID, let other)):
        id == otherID && event == other
    case (.bookDelta(let id, let event), .bookDelta(let otherID, let other)): id == otherID && event == other
    case (.bookStateChange(let id, let event), .bookStateChange(let otherID, let other)):
        id == otherID && event == other
    case (.bookSnapshot(let id, let event), .bookSnapshot(let otherID, let other)):
        id == otherID && event == other
    case (.bookTop(let id, let event), .bookTop(let otherID, let other)): id == otherID && event == other
    case (.tradesStored(let id, let event), .tradesStored(let otherID, let other)):
        id == otherID && event == other
    case (.madeCandle(let id, let event), .madeCandle(let otherID, let other)):
        id == otherID && event == other
    case (.dayTicker(let id, let event), .dayTicker(let otherID, let other)):
        id == otherID && event == other
    case (.bookDepth(let id, let event), .bookDepth(let otherID, let other)):
        id == otherID && event == other
    case (.bookAudit(let id, let event), .bookAudit(let otherID, let other)):
        id == otherID && event == other
    case (.indexPrice(let event), .indexPrice(let other)): event == other
    case (.portfolioValuation(let event), .portfolioValuation(let other)): event == other
    case (.heartbeat(let event), .heartbeat(let other)): event == other
    case (.feedStatus(let event), .feedStatus(let other)): event == other
    case (.serviceStatus(let event), .serviceStatus(let other)): event == other
    case (.controlCommand(let event), .controlCommand(let other)): event == other
    case (.controlReply(let event), .controlReply(let other)): event == other
    default: false
    }
}
