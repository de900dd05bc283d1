package import Instruments
package import MarketData

extension DeribitSession {
    package mutating func responded(
        to request: VenueRequest, status: Int, body: UnsafeRawBufferPointer, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        guard status == 200 else { return }
        let (events, listed) = (output.events.count, output.listed.count)
        do throws(ScanError) {
            guard var scanner = JSONScanner(body) else { throw .malformed }
            switch request.purpose {
            case .instruments:
                try scanner.enterDeribitResult()
                try readDefinitions(&scanner, into: &output)
                core.compareWithList(at: time, into: &output)
            case .trades:
                try scanner.enterDeribitResult()
                try scanner.object { scanner, key throws(ScanError) in
                    guard scanner.equals(key, "trades") else { return try scanner.skip() }
                    try readTrades(&scanner, isBackfill: true, at: time, into: &output)
                }
            case .bookSnapshot, .audit, .connection, .openInterest: break
            }
        } catch {
            output.events.removeLast(output.events.count - events)
            output.listed.removeLast(output.listed.count - listed)
            output.malformed("answer", bytes: body.count)
        }
        grow()
    }

    private mutating func readDefinitions(
        _ scanner: inout JSONScanner, into output: inout VenueOutput
    ) throws(ScanError) {
        let venue = core.configuration.venue
        try scanner.array { scanner throws(ScanError) in
            if let instrument = try DeribitDefinition.read(&scanner, venue) {
                core.define(instrument, into: &output)
            }
        }
    }

    package mutating func request(for url: String) -> VenueRequest? {
        let path = URLText.path(of: url)
        if path.hasSuffix("/get_instruments") { return VenueRequest(purpose: .instruments, url: url) }
        guard let symbol = URLText.parameter("instrument_name", of: url),
            let index = core.registry.find(symbol)
        else { return nil }
        if path.hasSuffix("/get_order_book") { return VenueRequest(purpose: .audit(index), url: url) }
        if path.hasSuffix("/get_last_trades_by_instrument") {
            return VenueRequest(purpose: .trades(index), url: url)
        }
        return nil
    }

    private func route(_ name: String, _ index: InstrumentIndex) -> String {
        let symbol = URLText.escape(core.registry[index].symbol)
        return core.configuration.restURL + "/api/v2/public/\(name)?instrument_name=\(symbol)"
    }

    package func auditRequest(for instrument: InstrumentIndex) -> VenueRequest? {
        VenueRequest(purpose: .audit(instrument), url: route("get_order_book", instrument) + "&depth=10000")
    }

    package func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book? {
        let ours = core.trackers[instrument.offset].book
        var book = Book(priceScale: ours.priceScale, sizeScale: ours.sizeScale)
        var sides = 0
        do throws(ScanError) {
            guard var scanner = JSONScanner(body) else { return nil }
            try scanner.enterDeribitResult()
            try scanner.object { scanner, key throws(ScanError) in
                let isBid = scanner.equals(key, "bids")
                guard isBid || scanner.equals(key, "asks") else { return try scanner.skip() }
                sides += 1
                try scanner.array { scanner throws(ScanError) in
                    try scanner.expect(0x5B)
                    let price = try scanner.rawDecimal().normalized
                    try scanner.expect(0x2C)
                    let size = try scanner.rawDecimal().normalized
                    while try scanner.take(0x2C) { try scanner.skip() }
                    try scanner.expect(0x5D)
                    try book.set(isBid ? .bid : .ask, price, size)
                }
            }
        } catch {
            return nil
        }
        return sides == 2 ? book : nil
    }

    package func tradesRequest(for instrument: InstrumentIndex, after last: TradeMark?) -> VenueRequest? {
        guard let last else { return nil }
        // The route counts from a time: the trades of the last known millisecond come again and are known by
        // id.
        let start = last.venueTime.nanoseconds / 1_000_000
        return VenueRequest(
            purpose: .trades(instrument),
            url: route("get_last_trades_by_instrument", instrument)
                + "&start_timestamp=\(start)&count=1000&sorting=asc")
    }
}

extension JSONScanner {
    /// Goes to `result` of an answer of Deribit; one with an `error` has none.
    mutating func enterDeribitResult() throws(ScanError) {
        let envelope = try DeribitEnvelope(&self)
        guard envelope.error == nil, let result = envelope.result else { throw .malformed }
        index = result
    }
}
