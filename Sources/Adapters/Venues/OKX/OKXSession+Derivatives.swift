import Instruments
import MarketData

extension ChannelSet {
    // Topics of OKX of which several together are one channel of ours.
    static let okxFunding = ChannelSet(rawValue: 1 << 8)
    static let okxOpenInterest = ChannelSet(rawValue: 1 << 9)
    static let okxIndexPrice = ChannelSet(rawValue: 1 << 10)
}

/// The state of a derivative is in four channels: `mark-price`, `index-tickers`, `open-interest` and, of
/// perpetuals, `funding-rate`.
///
/// Index prices are by pair, liquidations by kind of instrument: instruments share those, and what is told of
/// others is passed over.
///
/// Source: OKX API guide v5, "Public data, WebSocket", read 2026-11.
extension OKXSession {
    /// The topics that serve some channels of an instrument.
    func onWire(_ channels: ChannelSet, of index: InstrumentIndex) -> ChannelSet {
        let kind = OKXKind(symbol: core.registry[index].symbol)
        var wire = channels.subtracting(.derivative)
        if kind == .spot { return wire.subtracting([.mark, .liquidation]) }
        guard channels.contains(.derivative) else { return wire }
        wire.formUnion([.mark, .okxOpenInterest, .okxIndexPrice])
        if kind == .swap { wire.insert(.okxFunding) }
        return wire
    }

    /// The member of a topic's object that says what it is about.
    func subject(of topic: UnconfirmedTopics.Topic) -> String {
        let symbol = core.registry[topic.index].symbol
        switch topic.channel {
        case .liquidation: return "\"instType\":\"\(OKXKind(symbol: symbol).rawValue)\""
        case .okxIndexPrice: return "\"instId\":\"\(OKXKind.family(symbol))\""
        default: return "\"instId\":\"\(symbol)\""
        }
    }

    /// The topic of an answer, where instruments share it.
    func sharedTopic(
        _ kind: OKXTopic, _ message: ArgMessage, _ scanner: JSONScanner
    ) -> UnconfirmedTopics.Topic? {
        let subject: String
        switch kind {
        case .indexPrice: subject = "\"instId\":\"\(scanner.string(message.symbol) ?? "")\""
        case .liquidation: subject = "\"instType\":\"\(scanner.string(message.instrumentType) ?? "")\""
        default: return nil
        }
        return wanted { core.channels[$0.offset] }.first {
            $0.channel == kind.channel && self.subject(of: $0) == subject
        }
    }

    /// `fundingRate` of `fundingTime`, `nextFundingRate` of `nextFundingTime`, `ts`.
    mutating func readFunding(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var said = DerivativeTicker(receivedTime: time)
        var later: Timestamp?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "fundingRate") {
                said.fundingRate = try scanner.figure()
            } else if scanner.equals(key, "fundingTime") {
                said.nextFundingTime = try scanner.moment()
            } else if scanner.equals(key, "nextFundingRate") {
                said.predictedFundingRate = try scanner.figure()
            } else if scanner.equals(key, "nextFundingTime") {
                later = try scanner.moment()
            } else if scanner.equals(key, "ts") {
                said.venueTime = try scanner.moment()
            } else {
                try scanner.skip()
            }
        }
        if let later, let next = said.nextFundingTime {
            said.fundingIntervalSeconds = UInt32(exactly: later.nanoseconds(since: next) / 1_000_000_000)
        }
        core.say(said, of: index, into: &output)
    }

    /// `oi` in contracts, `ts`; `oiCcy` and `oiUsd` are the same in other units.
    mutating func readOpenInterest(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var said = DerivativeTicker(receivedTime: time)
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "oi") {
                said.openInterest = try scanner.figure()
            } else if scanner.equals(key, "ts") {
                said.venueTime = try scanner.moment()
            } else {
                try scanner.skip()
            }
        }
        if said.openInterest != nil { said.openInterestUnit = .contracts }
        core.say(said, of: index, into: &output)
    }

    /// Rows with `instId` (a pair), `idxPx, ts`, for each derivative of the pair.
    mutating func readIndexPrices(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.array { scanner throws(ScanError) in
            var pair: JSONText?
            var said = DerivativeTicker(receivedTime: time)
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "instId") {
                    pair = try scanner.text()
                } else if scanner.equals(key, "idxPx") {
                    said.indexPrice = try scanner.priceFigure()
                } else if scanner.equals(key, "ts") {
                    said.venueTime = try scanner.moment()
                } else {
                    try scanner.skip()
                }
            }
            guard let pair else { throw .malformed }
            let name = scanner.bytes(pair)
            for index in core.registry.indices where core.wants(.derivative, index) {
                let symbol = core.registry[index].symbol.utf8
                guard symbol.starts(with: name), symbol.dropFirst(name.count).first == 0x2D else { continue }
                core.say(said, of: index, into: &output)
            }
        }
    }

    /// Rows with `instId` and `details`: `side` of the order, `bkPx` (where the position is worth nothing),
    /// `sz` in contracts, `ts`; without an id.
    mutating func readLiquidations(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.array { scanner throws(ScanError) in
            var (symbol, details): (JSONText?, Int?)
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "instId") {
                    symbol = try scanner.text()
                } else {
                    if scanner.equals(key, "details") { details = scanner.index }
                    try scanner.skip()
                }
            }
            guard let symbol, let details, let index = core.registry.find(scanner.bytes(symbol)) else {
                return
            }
            let end = scanner.index
            scanner.index = details
            try scanner.array { scanner throws(ScanError) in
                try readLiquidation(&scanner, index, at: time, into: &output)
            }
            scanner.index = end
        }
    }

    private mutating func readLiquidation(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var (side, price, size): (Side?, DecimalNumber?, DecimalNumber?)
        var venueTime: Timestamp?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "side") {
                let text = try scanner.text()
                side = scanner.equals(text, "buy") ? .buy : scanner.equals(text, "sell") ? .sell : nil
            } else if scanner.equals(key, "bkPx") {
                price = try scanner.figure()
            } else if scanner.equals(key, "sz") {
                size = try scanner.figure()
            } else if scanner.equals(key, "ts") {
                venueTime = try scanner.moment()
            } else {
                try scanner.skip()
            }
        }
        guard let side, let price, let size else { throw .malformed }
        core.say(
            Liquidation(side: side, price: price, size: size, venueTime: venueTime, receivedTime: time),
            of: index, into: &output)
    }
}
