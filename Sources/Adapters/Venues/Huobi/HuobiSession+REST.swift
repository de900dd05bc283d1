package import Instruments
package import MarketData

extension HuobiSession {
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
        // The list of before 2022 as well.
        if path.hasSuffix("/common/symbols") { return VenueRequest(purpose: .instruments, url: url) }
        guard var symbol = URLText.parameter("symbol", of: url) else { return nil }
        let known = symbol.withUTF8 { instrument(UnsafeRawBufferPointer($0)) }
        guard let known else { return nil }
        if path.hasSuffix("/market/depth") { return VenueRequest(purpose: .audit(known), url: url) }
        if path.hasSuffix("/history/trade") { return VenueRequest(purpose: .trades(known), url: url) }
        return nil
    }

    package func auditRequest(for instrument: InstrumentIndex) -> VenueRequest? {
        let symbol = URLText.escape(core.registry[instrument].symbol)
        // Without a depth it gives 150 levels a side.
        let url = "\(core.configuration.restURL)/market/depth?symbol=\(symbol)&type=step0"
        return VenueRequest(purpose: .audit(instrument), url: url)
    }

    package func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book? {
        guard var scanner = JSONScanner(body) else { return nil }
        var book: HuobiBook?
        do throws(ScanError) {
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "tick") {
                    book = try readBook(&scanner)
                } else {
                    try scanner.skip()
                }
            }
        } catch {
            return nil
        }
        return book.flatMap { core.auditBook($0.levels, instrument) }
    }

    /// The newest 2,000 trades: there is no way to older ones.
    package func tradesRequest(for instrument: InstrumentIndex, after last: TradeMark?) -> VenueRequest? {
        guard last != nil else { return nil }
        let symbol = URLText.escape(core.registry[instrument].symbol)
        let url = "\(core.configuration.restURL)/market/history/trade?symbol=\(symbol)&size=2000"
        return VenueRequest(purpose: .trades(instrument), url: url)
    }

    /// `data`: groups of trades, newest first.
    private mutating func readTradesAnswer(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var trades: [HuobiTrade]?
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "data") else { return try scanner.skip() }
            var rows: [HuobiTrade] = []
            try scanner.array { scanner throws(ScanError) in
                try scanner.object { scanner, key throws(ScanError) in
                    guard scanner.equals(key, "data") else { return try scanner.skip() }
                    try scanner.array { scanner throws(ScanError) in rows.append(try readTrade(&scanner)) }
                }
            }
            trades = rows
        }
        guard let trades else { throw .malformed }
        say(trades.reversed(), of: index, isBackfill: true, at: time, into: &output)
    }

    // MARK: - Instruments

    private mutating func readDefinitions(
        _ scanner: inout JSONScanner, into output: inout VenueOutput
    ) throws(ScanError) {
        var isRead = false
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "data") else { return try scanner.skip() }
            isRead = true
            try scanner.array { scanner throws(ScanError) in
                let venue = core.configuration.venue
                if let instrument = try HuobiDefinition.read(&scanner, venue) {
                    core.define(instrument, into: &output)
                }
            }
        }
        guard isRead else { throw .malformed }
    }
}

/// What HTX says of an instrument.
///
/// Source: HTX, "Spot API reference, Get all supported trading symbols (V2)", not confirmed, and the list of
/// `/v1/common/symbols` before it.
enum HuobiDefinition {
    /// Reads one element of `data`; `nil` for one without a symbol, or that is not traded any more.
    static func read(_ scanner: inout JSONScanner, _ venue: Venue) throws(ScanError) -> Instrument? {
        var (symbol, base, quote) = (String?.none, String?.none, String?.none)
        var places: (price: Int64, size: Int64) = (0, 0)
        var state = ""
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "sc") || scanner.equals(key, "symbol") {
                symbol = scanner.string(try scanner.text())
            } else if scanner.equals(key, "bc") || scanner.equals(key, "base-currency") {
                base = scanner.string(try scanner.text())
            } else if scanner.equals(key, "qc") || scanner.equals(key, "quote-currency") {
                quote = scanner.string(try scanner.text())
            } else if scanner.equals(key, "tpp") || scanner.equals(key, "price-precision") {
                places.price = try scanner.integer()
            } else if scanner.equals(key, "tap") || scanner.equals(key, "amount-precision") {
                places.size = try scanner.integer()
            } else if scanner.equals(key, "state") {
                state = scanner.string(try scanner.scalarText()) ?? ""
            } else {
                try scanner.skip()
            }
        }
        // Delisted ones stay on the list.
        guard let symbol, !symbol.isEmpty, let base, let quote, state != "offline", state != "not-online",
            let price = Scale(Int(places.price)), let size = Scale(Int(places.size))
        else { return nil }
        return Instrument(
            id: InstrumentID(venue: venue, symbol: symbol), base: Asset(rawValue: base.uppercased()),
            quote: Asset(rawValue: quote.uppercased()), kind: .spot, priceScale: price, sizeScale: size,
            tickSize: DecimalNumber(units: 1, scale: price), lotSize: DecimalNumber(units: 1, scale: size))
    }
}
