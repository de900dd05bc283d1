package import Instruments
package import MarketData

extension GateioSession {
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
                let image = try image(&scanner, index, in: &core)
                guard image.lastID >= 0 else { throw .malformed }
                takeImage(image, index, at: time, into: &output)
            case .trades(let index): try readTrades(&scanner, index, at: time, into: &output)
            case .audit, .connection, .openInterest: break
            }
        } catch {
            if status == 200 {
                output.events.removeLast(output.events.count - events)
                output.malformed("answer", bytes: body.count)
            }
            if case .bookSnapshot(let index) = request.purpose, !core.trackers[index.offset].isFollowing {
                retryImage(index, at: time)
            }
        }
        askForImages(at: time, into: &output)
    }

    package mutating func request(for url: String) -> VenueRequest? {
        let path = URLText.path(of: url)
        if path.hasSuffix(core.configuration.description.instrumentList) {
            return VenueRequest(purpose: .instruments, url: url)
        }
        guard
            var symbol = URLText.parameter("currency_pair", of: url)
                ?? URLText.parameter("contract", of: url)
        else { return nil }
        let known = symbol.withUTF8 { core.instrument(UnsafeRawBufferPointer($0)) }
        grow()
        guard let known else { return nil }
        if path.hasSuffix("/order_book") { return VenueRequest(purpose: .bookSnapshot(known), url: url) }
        if path.hasSuffix("/trades") { return VenueRequest(purpose: .trades(known), url: url) }
        return nil
    }

    package func auditRequest(for instrument: InstrumentIndex) -> VenueRequest? {
        VenueRequest(purpose: .audit(instrument), url: bookURL(instrument))
    }

    package func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book? {
        guard var scanner = JSONScanner(body) else { return nil }
        var core = core
        do throws(ScanError) {
            let image = try image(&scanner, instrument, in: &core)
            var book = Book(priceScale: image.priceScale, sizeScale: image.sizeScale)
            book.replace(image.levels)
            return book
        } catch {
            return nil
        }
    }

    /// The thousand newest trades; on spot those from the last known one on.
    package func tradesRequest(for instrument: InstrumentIndex, after last: TradeMark?) -> VenueRequest? {
        guard let last else { return nil }
        let symbol = URLText.escape(core.registry[instrument].symbol)
        // From the second of the last known one, which comes again and is known by its id.
        let from = last.venueTime.nanoseconds / 1_000_000_000
        return VenueRequest(
            purpose: .trades(instrument),
            url: route("trades") + "?\(market.symbolName)=\(symbol)&from=\(from)&limit=1000")
    }

    /// Trades, newest first; they are said in the order in which they happened.
    private mutating func readTrades(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var trades: [GateioTrade] = []
        try scanner.array { scanner throws(ScanError) in trades.append(try GateioTrade.read(&scanner)) }
        if let first = trades.first, let last = trades.last, first.venueTime >= last.venueTime {
            trades.reverse()
        }
        for trade in trades { try say(trade, of: index, isBackfill: true, at: time, into: &output) }
    }

    private mutating func readDefinitions(
        _ scanner: inout JSONScanner, into output: inout VenueOutput
    ) throws(ScanError) {
        let venue = core.configuration.venue
        try scanner.array { scanner throws(ScanError) in
            guard let instrument = try GateioDefinition.read(&scanner, venue) else { return }
            core.define(instrument, into: &output)
        }
        grow()
    }
}
