package import Instruments
package import MarketData

extension BitfinexSession {
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
            case .trades(let index): try readTrades(&scanner, index, at: time, into: &output)
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
        let parts = path.split(separator: "/")
        guard parts.count >= 4, parts[parts.count - 4] == "v2" else { return nil }
        guard let known = core.registry.find(URLText.unescape(parts[parts.count - 2])) else { return nil }
        switch (parts[parts.count - 3], parts[parts.count - 1]) {
        case ("book", "P0"): return VenueRequest(purpose: .audit(known), url: url)
        case ("trades", "hist"): return VenueRequest(purpose: .trades(known), url: url)
        default: return nil
        }
    }

    private func route(_ name: String, _ instrument: InstrumentIndex) -> String {
        core.configuration.restURL + "/v2/\(name)/" + URLText.escape(core.registry[instrument].symbol)
    }

    package func auditRequest(for instrument: InstrumentIndex) -> VenueRequest? {
        VenueRequest(
            purpose: .audit(instrument),
            url: route("book", instrument) + "/P0?len=\(min(subscribedDepth, 100))")
    }

    package func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book? {
        let ours = core.trackers[instrument.offset].book
        var book = Book(priceScale: ours.priceScale, sizeScale: ours.sizeScale)
        do throws(ScanError) {
            guard var scanner = JSONScanner(body) else { return nil }
            try scanner.array { scanner throws(ScanError) in
                try scanner.expect(0x5B)
                let price = try scanner.rawDecimal().normalized
                try scanner.expect(0x2C)
                let count = try scanner.integer()
                try scanner.expect(0x2C)
                let amount = try scanner.rawDecimal().normalized
                while try scanner.take(0x2C) { try scanner.skip() }
                try scanner.expect(0x5D)
                guard price.units > 0, count > 0, amount.units != 0, amount.units != .min else {
                    throw .malformed
                }
                let size = DecimalNumber(units: abs(amount.units), scale: amount.scale)
                try book.set(amount.units > 0 ? .bid : .ask, price, size)
            }
            try scanner.expectEnd()
            return book
        } catch {
            return nil
        }
    }

    package func tradesRequest(for instrument: InstrumentIndex, after last: TradeMark?) -> VenueRequest? {
        guard let last else { return nil }
        // From the last known one's millisecond, so that it comes again: what follows it is then whole.
        let start = last.venueTime.nanoseconds / 1_000_000
        return VenueRequest(
            purpose: .trades(instrument),
            url: route("trades", instrument) + "/hist?start=\(start)&sort=1&limit=10000")
    }

    /// Two lists of names, of spot and of derivatives: `[["BTCUSD","AAVE:USD",…],["BTCF0:USTF0",…]]`.
    ///
    /// Prices have five significant digits, which is no tick; amounts have eight places.
    ///
    /// Source: Bitfinex API documentation, "Configs", and its help centre's "price precision"; not confirmed.
    private mutating func readDefinitions(
        _ scanner: inout JSONScanner, into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.array { scanner throws(ScanError) in
            try scanner.array { scanner throws(ScanError) in
                let text = try scanner.text()
                guard let pair = scanner.string(text),
                    let instrument = Self.instrument(pair, core.configuration.venue)
                else { return }
                core.define(instrument, into: &output)
            }
        }
        try scanner.expectEnd()
    }

    private static func instrument(_ pair: String, _ venue: Venue) -> Instrument? {
        let names = pair.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        var (base, quote): (String, String)
        switch (names.count, pair.utf8.count) {
        case (2, _): (base, quote) = (names[0], names[1])
        // Without a colon both have three letters.
        case (1, 6): (base, quote) = (String(pair.prefix(3)), String(pair.suffix(3)))
        default: return nil
        }
        // Of derivatives both names end so; they are linear and never expire.
        let isPerpetual = base.hasSuffix("F0") && quote.hasSuffix("F0")
        if isPerpetual { (base, quote) = (String(base.dropLast(2)), String(quote.dropLast(2))) }
        guard !base.isEmpty, !quote.isEmpty, let places = Scale(8) else { return nil }
        return Instrument(
            id: InstrumentID(venue: venue, symbol: "t\(pair)"), base: Asset(rawValue: base),
            quote: Asset(rawValue: quote), kind: isPerpetual ? .perpetual : .spot, priceScale: .zero,
            sizeScale: places, lotSize: DecimalNumber(units: 1, scale: places))
    }
}
