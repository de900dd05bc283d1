package import Instruments
package import MarketData

extension BitstampSession {
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
                takeImage(try readImage(&scanner, index, into: &output), index, at: time, into: &output)
            case .trades, .audit, .connection, .openInterest: break
            }
        } catch {
            if status == 200 {
                output.events.removeLast(output.events.count - events)
                output.malformed("answer", bytes: body.count)
            }
            if case .bookSnapshot(let index) = request.purpose { retryImage(index, at: time) }
        }
        if core.isConnected { askForImages(at: time, into: &output) }
    }

    /// `/api/v2/markets/`, earlier `/api/v2/trading-pairs-info/`, and `/api/v2/order_book/<pair>/`.
    package mutating func request(for url: String) -> VenueRequest? {
        let parts = URLText.path(of: url).split(separator: "/")
        guard let last = parts.last else { return nil }
        if last == "markets" || last == "trading-pairs-info" {
            return VenueRequest(purpose: .instruments, url: url)
        }
        guard parts.count >= 2, parts[parts.count - 2] == "order_book" else { return nil }
        var symbol = URLText.unescape(last)
        let known = symbol.withUTF8 { core.instrument(UnsafeRawBufferPointer($0)) }
        grow()
        return known.map { VenueRequest(purpose: .bookSnapshot($0), url: url) }
    }

    package func auditRequest(for instrument: InstrumentIndex) -> VenueRequest? {
        VenueRequest(purpose: .audit(instrument), url: bookURL(instrument))
    }

    package func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book? {
        var session = self
        var output = VenueOutput()
        do throws(ScanError) {
            guard var scanner = JSONScanner(body) else { return nil }
            let image = try session.readImage(&scanner, instrument, into: &output)
            let scales = session.core.scales(of: instrument)
            var book = Book(priceScale: scales.price, sizeScale: scales.size)
            for level in image.levels { book.apply(level) }
            return book
        } catch {
            return nil
        }
    }

    /// None: the route of past trades gives their times in whole seconds, which are not those of the tape.
    package func tradesRequest(for instrument: InstrumentIndex, after last: TradeMark?) -> VenueRequest? {
        nil
    }

    private mutating func readDefinitions(
        _ scanner: inout JSONScanner, into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.array { scanner throws(ScanError) in
            let venue = core.configuration.venue
            if let instrument = try BitstampDefinition.read(&scanner, venue) {
                core.define(instrument, into: &output)
            }
        }
    }
}

/// What Bitstamp says of an instrument.
///
/// Source: Bitstamp, "HTTP API, Markets", not confirmed; its predecessor "Trading pairs info", a recording.
enum BitstampDefinition {
    /// Reads one market; `nil` for one without a symbol.
    static func read(_ scanner: inout JSONScanner, _ venue: Venue) throws(ScanError) -> Instrument? {
        var (symbol, name, type): (String?, String?, String?) = (nil, nil, nil)
        var (base, quote): (String?, String?) = (nil, nil)
        var (baseDecimals, quoteDecimals): (Int64, Int64) = (0, 0)
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "market_symbol") || scanner.equals(key, "url_symbol") {
                symbol = try scanner.word()
            } else if scanner.equals(key, "name") {
                name = try scanner.word()
            } else if scanner.equals(key, "base_currency") {
                base = try scanner.word()
            } else if scanner.equals(key, "counter_currency") {
                quote = try scanner.word()
            } else if scanner.equals(key, "market_type") {
                type = try scanner.word()
            } else if scanner.equals(key, "base_decimals") {
                baseDecimals = try scanner.integer()
            } else if scanner.equals(key, "counter_decimals") {
                quoteDecimals = try scanner.integer()
            } else {
                try scanner.skip()
            }
        }
        // The predecessor names the two only together, "BTC/USD".
        let pair = name?.split(separator: "/").map(String.init) ?? []
        guard let symbol, !symbol.isEmpty, let base = base ?? pair.first,
            let quote = quote ?? pair.dropFirst().first, let price = Scale(Int(quoteDecimals)),
            let size = Scale(Int(baseDecimals))
        else { return nil }
        return Instrument(
            id: InstrumentID(venue: venue, symbol: symbol), base: Asset(rawValue: base),
            quote: Asset(rawValue: quote), kind: type == "PERPETUAL" ? .perpetual : .spot,
            priceScale: price, sizeScale: size, tickSize: DecimalNumber(units: 1, scale: price),
            lotSize: DecimalNumber(units: 1, scale: size))
    }
}
