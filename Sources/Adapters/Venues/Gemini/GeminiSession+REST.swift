package import Instruments
package import MarketData

extension GeminiSession {
    package mutating func responded(
        to request: VenueRequest, status: Int, body: UnsafeRawBufferPointer, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        guard status == 200 else { return }
        let events = output.events.count
        do throws(ScanError) {
            guard var scanner = JSONScanner(body) else { throw .malformed }
            switch request.purpose {
            case .instruments: try readDefinitions(&scanner, at: time, into: &output)
            case .trades(let index): try readTradesAnswer(&scanner, index, at: time, into: &output)
            case .bookSnapshot, .audit, .connection, .openInterest: break
            }
        } catch {
            output.events.removeLast(output.events.count - events)
            output.malformed("answer", bytes: body.count)
        }
    }

    /// `/v1/symbols/details/all` or one symbol's, `/v1/book/<symbol>` and `/v1/trades/<symbol>`.
    package mutating func request(for url: String) -> VenueRequest? {
        let parts = URLText.path(of: url).split(separator: "/")
        guard parts.count >= 3, let last = parts.last else { return nil }
        if parts[parts.count - 2] == "details" { return VenueRequest(purpose: .instruments, url: url) }
        guard let index = core.registry.find(URLText.unescape(last).uppercased()) else { return nil }
        switch parts[parts.count - 2] {
        case "book": return VenueRequest(purpose: .audit(index), url: url)
        case "trades": return VenueRequest(purpose: .trades(index), url: url)
        default: return nil
        }
    }

    package func auditRequest(for instrument: InstrumentIndex) -> VenueRequest? {
        // No limit is the whole depth.
        let url = route("book", instrument) + "?limit_bids=0&limit_asks=0"
        return VenueRequest(purpose: .audit(instrument), url: url)
    }

    private func route(_ name: String, _ instrument: InstrumentIndex) -> String {
        let symbol = URLText.escape(core.registry[instrument].symbol.lowercased())
        return "\(core.configuration.restURL)/v1/\(name)/\(symbol)"
    }

    /// Reads `bids` and `asks` of `price` and `amount`.
    package func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book? {
        let ours = core.trackers[instrument.offset].book
        var book = Book(priceScale: ours.priceScale, sizeScale: ours.sizeScale)
        do throws(ScanError) {
            guard var scanner = JSONScanner(body) else { return nil }
            var sides = 0
            try scanner.object { scanner, key throws(ScanError) in
                let side: BookSide = scanner.equals(key, "bids") ? .bid : .ask
                guard side == .bid || scanner.equals(key, "asks") else { return try scanner.skip() }
                sides += 1
                try scanner.array { scanner throws(ScanError) in
                    let (price, size) = try scanner.geminiLevel()
                    try book.set(side, price.normalized, size.normalized)
                }
            }
            return sides == 2 ? book : nil
        } catch {
            return nil
        }
    }

    package func tradesRequest(for instrument: InstrumentIndex, after last: TradeMark?) -> VenueRequest? {
        guard let last, let id = Int64(last.id), id > 0 else { return nil }
        // The last known one comes again: an answer without it says nothing of what followed.
        let url = route("trades", instrument) + "?since_tid=\(id - 1)&limit_trades=500"
        return VenueRequest(purpose: .trades(instrument), url: url)
    }

    /// The newest comes first.
    private mutating func readTradesAnswer(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var trades: [GeminiTrade] = []
        try scanner.array { scanner throws(ScanError) in trades.append(try GeminiTrade(&scanner)) }
        for trade in trades.reversed() {
            try say(trade, of: index, isBackfill: true, at: time, into: &output)
        }
    }

    /// All symbols as an array, or one as an object, which says nothing of what else there is.
    private mutating func readDefinitions(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        let venue = core.configuration.venue
        guard try scanner.peek() == 0x5B else {
            if let one = try GeminiDefinition.read(&scanner, venue) { core.define(one, into: &output) }
            return
        }
        try scanner.array { scanner throws(ScanError) in
            if let one = try GeminiDefinition.read(&scanner, venue) { core.define(one, into: &output) }
        }
        core.compareWithList(at: time, into: &output)
    }
}

/// What Gemini says of an instrument.
///
/// Source: Gemini, developer documentation, "Symbol details", not confirmed: `tick_size` is the step of
/// quantities, `quote_increment` that of prices.
enum GeminiDefinition {
    /// Reads one symbol; `nil` for one that is closed or has no name.
    static func read(_ scanner: inout JSONScanner, _ venue: Venue) throws(ScanError) -> Instrument? {
        var (symbol, base, quote): (String?, String?, String?) = (nil, nil, nil)
        var (status, product): (String?, String?) = (nil, nil)
        var (tick, lot): (DecimalNumber?, DecimalNumber?) = (nil, nil)
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "symbol") {
                symbol = try scanner.word()
            } else if scanner.equals(key, "base_currency") {
                base = try scanner.word()
            } else if scanner.equals(key, "quote_currency") {
                quote = try scanner.word()
            } else if scanner.equals(key, "status") {
                status = try scanner.word()
            } else if scanner.equals(key, "product_type") {
                product = try scanner.word()
            } else if scanner.equals(key, "tick_size") {
                lot = try scanner.anyDecimal()?.normalized
            } else if scanner.equals(key, "quote_increment") {
                tick = try scanner.anyDecimal()?.normalized
            } else {
                try scanner.skip()
            }
        }
        guard let symbol, !symbol.isEmpty, let base, let quote, status != "closed" else { return nil }
        return Instrument(
            id: InstrumentID(venue: venue, symbol: symbol.uppercased()), base: Asset(rawValue: base),
            quote: Asset(rawValue: quote), kind: product == "swap" ? .perpetual : .spot,
            priceScale: tick?.scale ?? .zero, sizeScale: lot?.scale ?? .zero, tickSize: tick, lotSize: lot)
    }
}

extension JSONScanner {
    /// Reads `{"price":…,"amount":…,"timestamp":…}`.
    fileprivate mutating func geminiLevel() throws(ScanError) -> (DecimalNumber, DecimalNumber) {
        var price: DecimalNumber?
        var size: DecimalNumber?
        try object { scanner, key throws(ScanError) in
            if scanner.equals(key, "price") {
                price = try scanner.rawDecimal()
            } else if scanner.equals(key, "amount") {
                size = try scanner.rawDecimal()
            } else {
                try scanner.skip()
            }
        }
        guard let price, let size else { throw .malformed }
        return (price, size)
    }
}
