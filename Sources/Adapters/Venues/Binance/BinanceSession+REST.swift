package import Instruments
package import MarketData

/// The answer of the depth route at a book's scales.
struct BinanceDepthAnswer {
    var lastUpdateID: Int64
    var venueTime: Timestamp?
    var bids: [BookLevel]
    var asks: [BookLevel]
}

extension BinanceSession {
    package mutating func responded(
        to request: VenueRequest, status: Int, body: UnsafeRawBufferPointer, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let events = output.events.count
        do throws(ScanError) {
            guard status == 200, var scanner = JSONScanner(body) else { throw .malformed }
            switch request.purpose {
            case .instruments:
                try readDefinitions(&scanner, into: &output)
                core.compareWithList(at: time, into: &output)
            case .bookSnapshot(let index):
                takeSnapshot(try readDepthAnswer(&scanner, index), index, at: time, into: &output)
            case .trades(let index):
                try readTradesAnswer(&scanner, index, request.url, at: time, into: &output)
            case .openInterest(let index):
                try readOpenInterest(&scanner, index, at: time, into: &output)
            case .audit, .connection: break
            }
        } catch {
            if status == 200 {
                output.events.removeLast(output.events.count - events)
                output.malformed("answer", bytes: body.count)
            }
            if case .bookSnapshot(let index) = request.purpose { retryImage(index, at: time) }
        }
        askForImages(at: time, into: &output)
    }

    package mutating func request(for url: String) -> VenueRequest? {
        let path = URLText.path(of: url)
        if path.hasSuffix(core.configuration.description.instrumentList) {
            return VenueRequest(purpose: .instruments, url: url)
        }
        guard var symbol = URLText.parameter("symbol", of: url) else { return nil }
        symbol = symbol.uppercased()
        let known = symbol.withUTF8 { instrument(UnsafeRawBufferPointer($0)) }
        guard let known else { return nil }
        if path.hasSuffix("/depth") { return VenueRequest(purpose: .bookSnapshot(known), url: url) }
        if path.hasSuffix("/openInterest") { return VenueRequest(purpose: .openInterest(known), url: url) }
        if path.hasSuffix("rades") { return VenueRequest(purpose: .trades(known), url: url) }
        return nil
    }

    package func auditRequest(for instrument: InstrumentIndex) -> VenueRequest? {
        VenueRequest(purpose: .audit(instrument), url: depthURL(instrument))
    }

    package func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book? {
        var session = self
        guard var scanner = JSONScanner(body) else { return nil }
        do throws(ScanError) {
            let answer = try session.readDepthAnswer(&scanner, instrument)
            let scales = session.core.trackers[instrument.offset].book
            var book = Book(priceScale: scales.priceScale, sizeScale: scales.sizeScale)
            book.replace(bids: answer.bids, asks: answer.asks)
            return book
        } catch {
            return nil
        }
    }

    package func tradesRequest(for instrument: InstrumentIndex, after last: TradeMark?) -> VenueRequest? {
        guard let last, let id = Int64(last.id) else { return nil }
        let name = last.isAggregate ? "aggTrades" : "historicalTrades"
        let symbol = URLText.escape(core.registry[instrument].symbol)
        return VenueRequest(
            // The last known one comes again: an answer without it says nothing of what followed.
            purpose: .trades(instrument), url: route(name) + "?symbol=\(symbol)&fromId=\(id)&limit=1000")
    }

    // MARK: - Answers

    mutating func readDepthAnswer(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex
    ) throws(ScanError) -> BinanceDepthAnswer {
        let body = scanner.index
        var answer = BinanceDepthAnswer(lastUpdateID: -1, venueTime: nil, bids: [], asks: [])
        try atFinalScale(index) { session throws(ScanError) in
            scanner.index = body
            var levels: [BookLevelChange] = []
            var id: Int64?
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "lastUpdateId") {
                    id = try scanner.integer()
                } else if scanner.equals(key, "bids") {
                    try session.readLevels(&scanner, .bid, index, into: &levels)
                } else if scanner.equals(key, "asks") {
                    try session.readLevels(&scanner, .ask, index, into: &levels)
                } else if scanner.equals(key, "T") {
                    answer.venueTime = Timestamp(milliseconds: try scanner.integer())
                } else {
                    try scanner.skip()
                }
            }
            guard let id, id >= 0 else { throw .malformed }
            answer.lastUpdateID = id
            answer.bids = levels.filter { $0.side == .bid }.map { BookLevel(price: $0.price, size: $0.size) }
            answer.asks = levels.filter { $0.side == .ask }.map { BookLevel(price: $0.price, size: $0.size) }
        }
        return answer
    }

    /// Whoever asked decides whether to ask for more.
    private mutating func readTradesAnswer(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, _ url: String, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let body = scanner.index
        let isAggregate = URLText.path(of: url).hasSuffix("aggTrades")
        var trades: [Trade] = []
        try atFinalScale(index) { session throws(ScanError) in
            scanner.index = body
            trades.removeAll()
            try scanner.array { scanner throws(ScanError) in
                trades.append(
                    try session.readTradeFields(
                        &scanner, index, isAggregate: isAggregate, isBackfill: true, at: time))
            }
        }
        // After the whole page was read, at its final scale: each row is counted once.
        for trade in trades { say(trade, of: index, into: &output) }
    }

    private mutating func readDefinitions(
        _ scanner: inout JSONScanner, into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "symbols") else { return try scanner.skip() }
            try scanner.array { scanner throws(ScanError) in
                let venue = core.configuration.venue
                if let instrument = try BinanceDefinition.read(&scanner, venue) {
                    core.define(instrument, into: &output)
                }
            }
        }
    }
}

/// What Binance says of an instrument.
///
/// Source: Binance API documentation, "Exchange information", read 2026-11.
enum BinanceDefinition {
    /// Reads one element of `symbols`; `nil` for one without a symbol.
    static func read(_ scanner: inout JSONScanner, _ venue: Venue) throws(ScanError) -> Instrument? {
        var symbol: String?
        var base: String?
        var quote: String?
        var contract: String?
        var tick: DecimalNumber?
        var lot: DecimalNumber?
        var contractSize: DecimalNumber?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "symbol") {
                symbol = scanner.string(try scanner.text())
            } else if scanner.equals(key, "baseAsset") {
                base = scanner.string(try scanner.text())
            } else if scanner.equals(key, "quoteAsset") {
                quote = scanner.string(try scanner.text())
            } else if scanner.equals(key, "contractType") {
                contract = scanner.string(try scanner.text())
            } else if scanner.equals(key, "contractSize") {
                // Dollars that a contract is worth; only the coin-margined ones have it, which are inverse.
                contractSize = try scanner.anyDecimal()
            } else if scanner.equals(key, "filters") {
                try scanner.array { scanner throws(ScanError) in
                    try readFilter(&scanner, tick: &tick, lot: &lot)
                }
            } else {
                try scanner.skip()
            }
        }
        guard let symbol, !symbol.isEmpty, let base, let quote else { return nil }
        return Instrument(
            id: InstrumentID(venue: venue, symbol: symbol), base: Asset(rawValue: base),
            quote: Asset(rawValue: quote),
            kind: kind(contract), priceScale: tick?.normalized.scale ?? .zero,
            sizeScale: lot?.normalized.scale ?? .zero,
            tickSize: tick?.normalized, lotSize: lot?.normalized,
            contractMultiplier: contractSize?.normalized, isInverse: contractSize != nil)
    }

    private static func readFilter(
        _ scanner: inout JSONScanner, tick: inout DecimalNumber?, lot: inout DecimalNumber?
    ) throws(ScanError) {
        var type = JSONText(start: 0, count: 0, hasEscapes: false)
        var tickSize: DecimalNumber?
        var stepSize: DecimalNumber?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "filterType") {
                type = try scanner.text()
            } else if scanner.equals(key, "tickSize") {
                tickSize = try scanner.anyDecimal()
            } else if scanner.equals(key, "stepSize") {
                stepSize = try scanner.anyDecimal()
            } else {
                try scanner.skip()
            }
        }
        if scanner.equals(type, "PRICE_FILTER") { tick = tickSize }
        if scanner.equals(type, "LOT_SIZE") { lot = stepSize }
    }

    private static func kind(_ contract: String?) -> InstrumentKind {
        switch contract {
        case nil, "": .spot
        case "PERPETUAL", "TRADIFI_PERPETUAL": .perpetual
        default: .future
        }
    }
}
