package import Instruments
package import MarketData

extension KrakenFuturesSession {
    package mutating func responded(
        to request: VenueRequest, status: Int, body: UnsafeRawBufferPointer, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        guard status == 200 else { return }
        let events = output.events.count
        do throws(ScanError) {
            guard var scanner = JSONScanner(body) else { throw .malformed }
            switch request.purpose {
            case .instruments:
                try readDefinitions(&scanner, into: &output)
                core.compareWithList(at: time, into: &output)
            case .trades(let index): try readHistory(&scanner, index, at: time, into: &output)
            case .bookSnapshot, .audit, .connection, .openInterest: break
            }
        } catch {
            output.events.removeLast(output.events.count - events)
            output.malformed("answer", bytes: body.count)
        }
    }

    package mutating func request(for url: String) -> VenueRequest? {
        let path = URLText.path(of: url)
        if path.hasSuffix(core.configuration.description.instrumentList) {
            return VenueRequest(purpose: .instruments, url: url)
        }
        guard let symbol = URLText.parameter("symbol", of: url)?.uppercased(),
            let index = core.registry.find(symbol)
        else { return nil }
        if path.hasSuffix("/orderbook") { return VenueRequest(purpose: .audit(index), url: url) }
        if path.hasSuffix("/history") { return VenueRequest(purpose: .trades(index), url: url) }
        return nil
    }

    package func auditRequest(for instrument: InstrumentIndex) -> VenueRequest? {
        let symbol = URLText.escape(core.registry[instrument].symbol)
        return VenueRequest(purpose: .audit(instrument), url: route("orderbook") + "?symbol=\(symbol)")
    }

    /// Reads `orderBook` with `bids` and `asks`, all levels as pairs.
    package func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book? {
        guard var scanner = JSONScanner(body) else { return nil }
        var core = core
        var levels: [BookLevelChange] = []
        do throws(ScanError) {
            try core.atFinalScales(instrument) { forms throws(ScanError) in
                scanner.index = 0
                levels.removeAll()
                var sides = 0
                try scanner.object { scanner, key throws(ScanError) in
                    guard scanner.equals(key, "orderBook") else { return try scanner.skip() }
                    try scanner.object { scanner, key throws(ScanError) in
                        let isBid = scanner.equals(key, "bids")
                        guard isBid || scanner.equals(key, "asks") else { return try scanner.skip() }
                        sides += 1
                        try scanner.pairLevels(isBid ? .bid : .ask, forms, into: &levels)
                    }
                }
                guard sides == 2 else { throw .malformed }
            }
        } catch {
            return nil
        }
        let scales = core.scales(of: instrument)
        var book = Book(priceScale: scales.price, sizeScale: scales.size)
        book.replace(levels)
        return book
    }

    /// The hundred newest trades, of which those after the last known one were missed.
    package func tradesRequest(for instrument: InstrumentIndex, after last: TradeMark?) -> VenueRequest? {
        guard last != nil else { return nil }
        let symbol = URLText.escape(core.registry[instrument].symbol)
        return VenueRequest(purpose: .trades(instrument), url: route("history") + "?symbol=\(symbol)")
    }

    /// `history`: trades with their `uid`, newest first; they are said in the order in which they happened.
    private mutating func readHistory(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var trades: [KrakenFuturesTrade]?
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "history") else { return try scanner.skip() }
            var rows: [KrakenFuturesTrade] = []
            try scanner.array { scanner throws(ScanError) in
                rows.append(try KrakenFuturesTrade.read(&scanner))
            }
            trades = rows
        }
        guard var trades else { throw .malformed }
        if let first = trades.first, let last = trades.last, first.venueTime >= last.venueTime {
            trades.reverse()
        }
        try say(trades, of: index, isBackfill: true, at: time, into: &output)
    }

    private mutating func readDefinitions(
        _ scanner: inout JSONScanner, into output: inout VenueOutput
    ) throws(ScanError) {
        var hasList = false
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "instruments") else { return try scanner.skip() }
            hasList = true
            let venue = core.configuration.venue
            try scanner.array { scanner throws(ScanError) in
                guard let instrument = try KrakenFuturesDefinition.read(&scanner, venue) else { return }
                core.define(instrument, into: &output)
            }
        }
        guard hasList else { throw .malformed }
        grow()
    }
}
