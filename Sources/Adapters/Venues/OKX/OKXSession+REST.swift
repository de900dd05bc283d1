package import Instruments
package import MarketData

extension OKXSession {
    func listRequest(_ query: String) -> VenueRequest {
        VenueRequest(purpose: .instruments, url: route("public/instruments?\(query)"))
    }

    private func route(_ path: String) -> String { "\(core.configuration.restURL)/api/v5/\(path)" }

    /// Asks for the options of the pairs that are followed: there is no list of all.
    mutating func askForOptions(into output: inout VenueOutput) {
        for index in core.registry.indices {
            let symbol = core.registry[index].symbol
            let family = OKXKind.family(symbol)
            guard OKXKind(symbol: symbol) == .option, !core.channels[index.offset].isEmpty,
                !optionFamilies.contains(family)
            else { continue }
            optionFamilies.append(family)
            output.actions.append(
                .request(listRequest("instType=OPTION&instFamily=\(URLText.escape(family))")))
        }
    }

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
                compareWithList(request.url, at: time, into: &output)
            case .trades(let index): try readTradesAnswer(&scanner, index, at: time, into: &output)
            case .bookSnapshot, .audit, .connection, .openInterest: break
            }
        } catch {
            output.events.removeLast(output.events.count - events)
            output.malformed("answer", bytes: body.count)
        }
    }

    /// What a list does not have of its kind, and of its pair where it is of one, the venue does not have.
    private mutating func compareWithList(_ url: String, at time: Timestamp, into output: inout VenueOutput) {
        guard let kind = URLText.parameter("instType", of: url).flatMap(OKXKind.init) else { return }
        let family = URLText.parameter("instFamily", of: url) ?? URLText.parameter("uly", of: url)
        core.compareWithList(
            of: { symbol in
                OKXKind(symbol: symbol) == kind && (family == nil || OKXKind.family(symbol) == family)
            }, at: time, into: &output)
    }

    /// Answers of v3 are not read: it has closed, and its books need nothing of them.
    package mutating func request(for url: String) -> VenueRequest? {
        let path = URLText.path(of: url)
        guard path.hasPrefix("/api/v5/") else { return nil }
        if path.hasSuffix(core.configuration.description.instrumentList) {
            return VenueRequest(purpose: .instruments, url: url)
        }
        guard let symbol = URLText.parameter("instId", of: url), let known = core.registry.find(symbol) else {
            return nil
        }
        if path.hasSuffix("/market/books") { return VenueRequest(purpose: .audit(known), url: url) }
        if path.hasSuffix("-trades") || path.hasSuffix("/trades") {
            return VenueRequest(purpose: .trades(known), url: url)
        }
        return nil
    }

    // MARK: - Audit

    package func auditRequest(for instrument: InstrumentIndex) -> VenueRequest? {
        let symbol = URLText.escape(core.registry[instrument].symbol)
        return VenueRequest(
            purpose: .audit(instrument), url: route("market/books?instId=\(symbol)&sz=400"))
    }

    package func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book? {
        let ours = core.trackers[instrument.offset].book
        var book = Book(priceScale: ours.priceScale, sizeScale: ours.sizeScale)
        var sides = 0
        do throws(ScanError) {
            guard var scanner = JSONScanner(body) else { return nil }
            try scanner.okxData { scanner throws(ScanError) in
                try scanner.array { scanner throws(ScanError) in
                    sides += try book.readSides(&scanner)
                }
            }
        } catch {
            return nil
        }
        return sides == 2 ? book : nil
    }

    // MARK: - Trades

    /// A page of trades by their ids: up to a hundred before the one that it ends with.
    ///
    /// Source: OKX API guide v5, "Get trades history", `type` 1, not confirmed: `after` is excluded, ids of
    /// an instrument follow each other.
    package func tradesRequest(for instrument: InstrumentIndex, after last: TradeMark?) -> VenueRequest? {
        guard let last, let id = Int64(last.id), id >= 0, id < .max - 100 else { return nil }
        let symbol = URLText.escape(core.registry[instrument].symbol)
        return VenueRequest(
            // The last known one comes again: an answer without it says nothing of what followed.
            purpose: .trades(instrument),
            url: route("market/history-trades?instId=\(symbol)&type=1&after=\(id + 100)&limit=100"))
    }

    /// Newest first; said in the order in which they happened.
    private mutating func readTradesAnswer(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var rows: [OKXTradeRow] = []
        try scanner.okxData { scanner throws(ScanError) in
            try scanner.array { scanner throws(ScanError) in
                rows.append(try OKXSession.readTradeRow(&scanner))
            }
        }
        for row in rows.reversed() {
            try say(row, index, isBackfill: true, at: time, into: &output)
        }
    }

    // MARK: - Instruments

    private mutating func readDefinitions(
        _ scanner: inout JSONScanner, into output: inout VenueOutput
    ) throws(ScanError) {
        let venue = core.configuration.venue
        try scanner.okxData { scanner throws(ScanError) in
            try scanner.array { scanner throws(ScanError) in
                if let instrument = try OKXDefinition.read(&scanner, venue) {
                    core.define(instrument, into: &output)
                }
            }
        }
        books.grow(to: core.trackers.count)
    }
}
