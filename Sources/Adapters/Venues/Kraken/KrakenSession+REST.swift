package import Instruments
package import MarketData

extension KrakenSession {
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
        guard let pair = URLText.parameter("pair", of: url) else { return nil }
        let known = core.registry.find(pair) ?? core.registry.indices.first { restPair($0) == pair }
        guard let known else { return nil }
        if path.hasSuffix("/Depth") { return VenueRequest(purpose: .audit(known), url: url) }
        if path.hasSuffix("/Trades") { return VenueRequest(purpose: .trades(known), url: url) }
        return nil
    }

    package func auditRequest(for instrument: InstrumentIndex) -> VenueRequest? {
        let pair = URLText.escape(restPair(instrument))
        return VenueRequest(
            purpose: .audit(instrument),
            url:
                "\(core.configuration.restURL)/0/public/Depth?pair=\(pair)&count=\(min(subscribedDepth, 500))"
        )
    }

    package func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book? {
        let ours = core.trackers[instrument.offset].book
        var book = Book(priceScale: ours.priceScale, sizeScale: ours.sizeScale)
        do throws(ScanError) {
            guard var scanner = JSONScanner(body) else { return nil }
            var sides = 0
            try scanner.result { scanner, _ throws(ScanError) in
                try scanner.object { scanner, key throws(ScanError) in
                    let side: BookSide
                    if scanner.equals(key, "bids") {
                        side = .bid
                    } else if scanner.equals(key, "asks") {
                        side = .ask
                    } else {
                        return try scanner.skip()
                    }
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
            }
            return sides == 2 ? book : nil
        } catch {
            return nil
        }
    }

    package func tradesRequest(for instrument: InstrumentIndex, after last: TradeMark?) -> VenueRequest? {
        guard let last else { return nil }
        let pair = URLText.escape(restPair(instrument))
        // From just before the last known time, so that all trades of that instant come, whose equals count.
        let since = last.venueTime.adding(nanoseconds: -1).nanoseconds
        return VenueRequest(
            purpose: .trades(instrument),
            url: "\(core.configuration.restURL)/0/public/Trades?pair=\(pair)&since=\(since)")
    }

    /// The REST interface takes the name without a slash.
    private func restPair(_ instrument: InstrumentIndex) -> String {
        core.registry[instrument].symbol.filter { $0 != "/" }
    }

    /// Reads `{"error":[],"result":{"<pair>":[[…],…],"last":"…"}}`; whoever asked decides whether to ask for
    /// more.
    private mutating func readTradesAnswer(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.result { scanner, key throws(ScanError) in
            if scanner.equals(key, "last") { return try scanner.skip() }
            try readV1Trades(&scanner, index, isBackfill: true, at: time, into: &output)
        }
    }

    /// `AssetPairs`: `wsname, base, quote, pair_decimals, lot_decimals, tick_size`.
    private mutating func readDefinitions(
        _ scanner: inout JSONScanner, into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.result { scanner, _ throws(ScanError) in
            var name: String?
            var priceDecimals: Int64 = 0
            var lotDecimals: Int64 = 0
            var tick: DecimalNumber?
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "wsname") {
                    name = scanner.string(try scanner.text())
                } else if scanner.equals(key, "pair_decimals") {
                    priceDecimals = try scanner.integer()
                } else if scanner.equals(key, "lot_decimals") {
                    lotDecimals = try scanner.integer()
                } else if scanner.equals(key, "tick_size") {
                    tick = try scanner.anyDecimal()
                } else {
                    try scanner.skip()
                }
            }
            guard let name, let pair = KrakenText.pair(name, isV1: isV1),
                let price = Scale(Int(priceDecimals)), let size = Scale(Int(lotDecimals))
            else { return }
            let instrument = Instrument(
                id: InstrumentID(venue: core.configuration.venue, symbol: "\(pair.base)/\(pair.quote)"),
                base: Asset(rawValue: pair.base), quote: Asset(rawValue: pair.quote), kind: .spot,
                priceScale: price, sizeScale: size, tickSize: tick ?? DecimalNumber(units: 1, scale: price))
            core.define(instrument, into: &output)
        }
        while extras.count < core.trackers.count { extras.append(BookExtras()) }
    }
}

extension JSONScanner {
    /// Walks the members of `result` of a Kraken answer; a non-empty `error` makes it unreadable.
    mutating func result(
        _ body: (inout JSONScanner, JSONText) throws(ScanError) -> Void
    ) throws(ScanError) {
        try object { scanner, key throws(ScanError) in
            if scanner.equals(key, "error") {
                var errors = 0
                try scanner.array { scanner throws(ScanError) in
                    errors += 1
                    try scanner.skip()
                }
                if errors > 0 { throw .malformed }
            } else if scanner.equals(key, "result") {
                try scanner.object { scanner, name throws(ScanError) in try body(&scanner, name) }
            } else {
                try scanner.skip()
            }
        }
    }
}
