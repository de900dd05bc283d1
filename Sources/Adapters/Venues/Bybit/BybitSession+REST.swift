package import Instruments
package import MarketData

extension BybitSession {
    /// Pages of the list of instruments that are read at the most.
    private static let pageLimit = 20

    package mutating func responded(
        to request: VenueRequest, status: Int, body: UnsafeRawBufferPointer, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        guard status == 200 else { return }
        let (events, listed) = (output.events.count, output.listed.count)
        do throws(ScanError) {
            guard var scanner = JSONScanner(body) else { throw .malformed }
            switch request.purpose {
            case .instruments: try readDefinitions(&scanner, request.url, at: time, into: &output)
            case .trades(let index):
                try scanner.enterBybitResult()
                try scanner.object { scanner, key throws(ScanError) in
                    guard scanner.equals(key, "list") else { return try scanner.skip() }
                    try readTradesAnswer(&scanner, index, at: time, into: &output)
                }
            case .bookSnapshot, .audit, .connection, .openInterest: break
            }
        } catch {
            output.events.removeLast(output.events.count - events)
            output.listed.removeLast(output.listed.count - listed)
            output.malformed("answer", bytes: body.count)
        }
    }

    package mutating func request(for url: String) -> VenueRequest? {
        let path = URLText.path(of: url)
        if path.hasSuffix("/instruments-info") || path.hasSuffix("/v2/public/symbols") {
            return VenueRequest(purpose: .instruments, url: url)
        }
        guard let symbol = URLText.parameter("symbol", of: url),
            let index = core.registry.find(name(symbol, of: category(of: url)))
        else { return nil }
        if path.hasSuffix("/market/orderbook") { return VenueRequest(purpose: .audit(index), url: url) }
        if path.hasSuffix("/market/recent-trade") { return VenueRequest(purpose: .trades(index), url: url) }
        return nil
    }

    private func category(of url: String) -> BybitCategory? {
        URLText.parameter("category", of: url).flatMap { BybitCategory(rawValue: $0) }
    }

    private func route(_ name: String, _ index: InstrumentIndex, limit: Int) -> String {
        let symbol = URLText.escape(core.registry[index].symbol)
        return core.configuration.restURL
            + "/v5/market/\(name)?category=\(category.rawValue)&symbol=\(symbol)&limit=\(limit)"
    }

    package func auditRequest(for instrument: InstrumentIndex) -> VenueRequest? {
        let limit = min(subscribedDepth, category.mostLevels)
        return VenueRequest(
            purpose: .audit(instrument), url: route("orderbook", instrument, limit: limit))
    }

    package func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book? {
        let ours = core.trackers[instrument.offset].book
        var book = Book(priceScale: ours.priceScale, sizeScale: ours.sizeScale)
        var sides = 0
        do throws(ScanError) {
            guard var scanner = JSONScanner(body) else { return nil }
            try scanner.enterBybitResult()
            try scanner.object { scanner, key throws(ScanError) in
                guard scanner.equals(key, "b") || scanner.equals(key, "a") else { return try scanner.skip() }
                let side: BookSide = scanner.equals(key, "b") ? .bid : .ask
                sides += 1
                try scanner.array { scanner throws(ScanError) in
                    try scanner.expect(0x5B)
                    let price = try scanner.rawDecimal().normalized
                    try scanner.expect(0x2C)
                    let size = try scanner.rawDecimal().normalized
                    while try scanner.take(0x2C) { try scanner.skip() }
                    try scanner.expect(0x5D)
                    try book.set(side, price, size)
                }
            }
        } catch {
            return nil
        }
        return sides == 2 ? book : nil
    }

    /// The newest trades: whoever asks sees whether the last known one is among them.
    package func tradesRequest(for instrument: InstrumentIndex, after last: TradeMark?) -> VenueRequest? {
        guard last != nil else { return nil }
        return VenueRequest(
            purpose: .trades(instrument), url: route("recent-trade", instrument, limit: category.mostTrades))
    }

    /// Reads a page of the list, and asks for the next where there is one.
    private mutating func readDefinitions(
        _ scanner: inout JSONScanner, _ url: String, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        let asked = category(of: url)
        let (instruments, cursor) = try readPage(&scanner)
        for instrument in instruments {
            let symbol = name(instrument.id.symbol, of: asked)
            core.define(
                instrument.named(InstrumentID(venue: instrument.id.venue, symbol: symbol)), into: &output)
        }
        // Without a cursor it is the first, every hour again.
        listPages = URLText.parameter("cursor", of: url) == nil ? 1 : listPages + 1
        guard !cursor.isEmpty, listPages < Self.pageLimit else {
            return core.compareWithList(at: time, into: &output)
        }
        let list = core.configuration.restURL + "/v5/market" + category.instrumentList
        output.actions.append(
            .request(
                VenueRequest(purpose: .instruments, url: "\(list)&cursor=\(URLText.escape(cursor))")))
    }

    /// The instruments of a page, and where the next begins; in V2 `result` is the list itself.
    private func readPage(_ scanner: inout JSONScanner) throws(ScanError) -> ([Instrument], String) {
        var (instruments, cursor): ([Instrument], String) = ([], "")
        let venue = core.configuration.venue
        try scanner.enterBybitResult()
        if try scanner.peek() == 0x5B {
            return (try BybitDefinition.readList(&scanner, venue), "")
        }
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "nextPageCursor"), try scanner.peek() == 0x22 {
                cursor = scanner.string(try scanner.text()) ?? ""
            } else if scanner.equals(key, "list") {
                instruments = try BybitDefinition.readList(&scanner, venue)
            } else {
                try scanner.skip()
            }
        }
        return (instruments, cursor)
    }
}

extension Instrument {
    /// The same under another name.
    fileprivate func named(_ id: InstrumentID) -> Instrument {
        var instrument = self
        instrument.id = id
        return instrument
    }
}

extension JSONScanner {
    /// Goes to `result` of an answer of Bybit; a `retCode` other than 0 makes it unreadable.
    mutating func enterBybitResult() throws(ScanError) {
        var result: Int?
        try object { scanner, key throws(ScanError) in
            if scanner.equals(key, "retCode") || scanner.equals(key, "ret_code") {
                guard try scanner.integer() == 0 else { throw .malformed }
            } else {
                if scanner.equals(key, "result") { result = scanner.index }
                try scanner.skip()
            }
        }
        try expectEnd()
        guard let result else { throw .malformed }
        index = result
    }
}
