package import Instruments
package import MarketData

extension BitgetSession {
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
                let product = URLText.parameter("productType", of: request.url) ?? BitgetSymbol.spot
                try readDefinitions(&scanner, product, into: &output)
                core.compareWithList(
                    of: { BitgetSymbol($0).product == product }, at: time, into: &output)
            case .trades(let index): try readTradesAnswer(&scanner, index, at: time, into: &output)
            case .bookSnapshot, .audit, .connection, .openInterest: break
            }
        } catch {
            output.events.removeLast(output.events.count - events)
            output.malformed("answer", bytes: body.count)
        }
    }

    /// Answers of v1 are not read: it has closed, and its books need nothing of them.
    package mutating func request(for url: String) -> VenueRequest? {
        let path = URLText.path(of: url)
        guard path.hasPrefix("/api/v2/") else { return nil }
        let list = core.configuration.description.instrumentList
        if path.hasSuffix(list) || path.hasSuffix("/market/contracts") {
            return VenueRequest(purpose: .instruments, url: url)
        }
        guard let id = URLText.parameter("symbol", of: url) else { return nil }
        let product = URLText.parameter("productType", of: url) ?? BitgetSymbol.spot
        guard let known = core.registry.find(BitgetSymbol(product: product, id: id).text) else { return nil }
        if path.hasSuffix("/orderbook") || path.hasSuffix("/merge-depth") {
            return VenueRequest(purpose: .audit(known), url: url)
        }
        if path.hasSuffix("/fills-history") || path.hasSuffix("/fills") {
            return VenueRequest(purpose: .trades(known), url: url)
        }
        return nil
    }

    // MARK: - Audit

    /// Spot gives 150 levels a side at the most, futures all that it sends.
    package func auditRequest(for instrument: InstrumentIndex) -> VenueRequest? {
        let symbol = BitgetSymbol(core.registry[instrument].symbol)
        let depth =
            symbol.isSpot ? "orderbook?type=step0&limit=150" : "merge-depth?precision=scale0&limit=max"
        return VenueRequest(
            purpose: .audit(instrument),
            url: "\(core.configuration.restURL)\(symbol.route)\(depth)&\(symbol.query)")
    }

    package func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book? {
        let ours = core.trackers[instrument.offset].book
        var book = Book(priceScale: ours.priceScale, sizeScale: ours.sizeScale)
        var sides = 0
        do throws(ScanError) {
            guard var scanner = JSONScanner(body) else { return nil }
            try scanner.bitgetData { scanner throws(ScanError) in sides += try book.readSides(&scanner) }
        } catch {
            return nil
        }
        return sides == 2 ? book : nil
    }

    // MARK: - Trades

    /// Up to a thousand trades since the last known one; ids do not follow each other.
    ///
    /// Source: Bitget API documentation v2, "Get Market Trades"; not confirmed.
    package func tradesRequest(for instrument: InstrumentIndex, after last: TradeMark?) -> VenueRequest? {
        guard let last else { return nil }
        let symbol = BitgetSymbol(core.registry[instrument].symbol)
        // The last known one comes again: an answer without it says nothing of what followed.
        let start = last.venueTime.nanoseconds / 1_000_000
        return VenueRequest(
            purpose: .trades(instrument),
            url: "\(core.configuration.restURL)\(symbol.route)fills-history?\(symbol.query)"
                + "&limit=1000&startTime=\(start)")
    }

    /// Newest first; said in the order in which they happened.
    private mutating func readTradesAnswer(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var rows: [BitgetTradeRow] = []
        try scanner.bitgetData { scanner throws(ScanError) in
            try scanner.array { scanner throws(ScanError) in rows.append(try BitgetTradeRow(&scanner)) }
        }
        for row in rows.reversed() {
            try say(row, index, isBackfill: true, at: time, into: &output)
        }
    }

    // MARK: - Instruments

    private mutating func readDefinitions(
        _ scanner: inout JSONScanner, _ product: String, into output: inout VenueOutput
    ) throws(ScanError) {
        let venue = core.configuration.venue
        try scanner.bitgetData { scanner throws(ScanError) in
            try scanner.array { scanner throws(ScanError) in
                if let instrument = try BitgetDefinition.read(&scanner, product, venue) {
                    core.define(instrument, into: &output)
                }
            }
        }
        grow()
    }
}
