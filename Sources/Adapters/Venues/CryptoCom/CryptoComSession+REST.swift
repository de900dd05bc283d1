package import Instruments
package import MarketData

extension CryptoComSession {
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
            case .trades(let index): try readTradesAnswer(&scanner, index, at: time, into: &output)
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
        guard var symbol = URLText.parameter("instrument_name", of: url) else { return nil }
        let known = symbol.withUTF8 { instrument(UnsafeRawBufferPointer($0)) }
        guard let known else { return nil }
        if path.hasSuffix("/get-book") { return VenueRequest(purpose: .audit(known), url: url) }
        if path.hasSuffix("/get-trades") { return VenueRequest(purpose: .trades(known), url: url) }
        return nil
    }

    package func auditRequest(for instrument: InstrumentIndex) -> VenueRequest? {
        let name = URLText.escape(core.registry[instrument].symbol)
        let url = route("get-book") + "?instrument_name=\(name)&depth=\(subscribedDepth)"
        return VenueRequest(purpose: .audit(instrument), url: url)
    }

    package func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book? {
        guard var scanner = JSONScanner(body) else { return nil }
        var book: CryptoComBook?
        do throws(ScanError) {
            try scanner.rows("data") { scanner throws(ScanError) in book = try readBook(&scanner) }
        } catch {
            return nil
        }
        return book.flatMap { core.auditBook($0.levels, instrument) }
    }

    /// The newest 150 trades since the last known one.
    package func tradesRequest(for instrument: InstrumentIndex, after last: TradeMark?) -> VenueRequest? {
        guard let last else { return nil }
        let name = URLText.escape(core.registry[instrument].symbol)
        let since = last.venueTime.nanoseconds / 1_000_000 - 1
        let url = route("get-trades") + "?instrument_name=\(name)&count=150&start_ts=\(since)"
        return VenueRequest(purpose: .trades(instrument), url: url)
    }

    /// `data`: trades, newest first.
    private mutating func readTradesAnswer(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let start = output.events.count
        try scanner.rows("data") { scanner throws(ScanError) in
            try readTrade(&scanner, index, isBackfill: true, at: time, into: &output)
        }
        output.events[start...].reverse()
    }

    private mutating func readDefinitions(
        _ scanner: inout JSONScanner, into output: inout VenueOutput
    ) throws(ScanError) {
        let venue = core.configuration.venue
        // `data` of v1, `instruments` of v2.
        try scanner.rows("data", "instruments") { scanner throws(ScanError) in
            if let instrument = try CryptoComDefinition.read(&scanner, venue) {
                core.define(instrument, into: &output)
            }
        }
    }
}

extension JSONScanner {
    /// Walks the rows of an array in `result` of an answer; without one it is no answer.
    fileprivate mutating func rows(
        _ name: StaticString, _ other: StaticString = "data",
        _ body: (inout JSONScanner) throws(ScanError) -> Void
    ) throws(ScanError) {
        var isRead = false
        try object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "result"), try scanner.peek() == 0x7B else { return try scanner.skip() }
            try scanner.object { scanner, key throws(ScanError) in
                guard scanner.equals(key, name) || scanner.equals(key, other) else {
                    return try scanner.skip()
                }
                isRead = true
                try scanner.array { scanner throws(ScanError) in try body(&scanner) }
            }
        }
        guard isRead else { throw .malformed }
    }
}
