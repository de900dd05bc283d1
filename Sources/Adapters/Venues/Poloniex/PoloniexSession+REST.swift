package import Instruments
package import MarketData

extension PoloniexSession {
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
        guard parts.count >= 3 else { return nil }
        let symbol = URLText.unescape(parts[parts.count - 2])
        guard let index = core.registry.find(symbol) else { return nil }
        if parts.last == "orderBook" { return VenueRequest(purpose: .audit(index), url: url) }
        if parts.last == "trades" { return VenueRequest(purpose: .trades(index), url: url) }
        return nil
    }

    private func url(_ instrument: InstrumentIndex, _ rest: String) -> String {
        let symbol = URLText.escape(core.registry[instrument].symbol)
        return "\(core.configuration.restURL)/markets/\(symbol)/\(rest)"
    }

    /// As many levels as the socket keeps.
    package func auditRequest(for instrument: InstrumentIndex) -> VenueRequest? {
        VenueRequest(purpose: .audit(instrument), url: url(instrument, "orderBook?limit=20"))
    }

    /// Reads `bids` and `asks`, each one list of prices and sizes in turns.
    package func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book? {
        guard var scanner = JSONScanner(body) else { return nil }
        let scales = core.scales(of: instrument)
        var book = Book(priceScale: scales.price, sizeScale: scales.size)
        do throws(ScanError) {
            var sides = 0
            try scanner.object { scanner, key throws(ScanError) in
                let isBid = scanner.equals(key, "bids")
                guard isBid || scanner.equals(key, "asks") else { return try scanner.skip() }
                sides += 1
                var price: DecimalNumber?
                try scanner.array { scanner throws(ScanError) in
                    let number = try scanner.rawDecimal().normalized
                    if let known = price {
                        try book.set(isBid ? .bid : .ask, known, number)
                        price = nil
                    } else {
                        price = number
                    }
                }
                guard price == nil else { throw .malformed }
            }
            return sides == 2 ? book : nil
        } catch {
            return nil
        }
    }

    /// The thousand newest trades, of which those after the last known one were missed.
    package func tradesRequest(for instrument: InstrumentIndex, after last: TradeMark?) -> VenueRequest? {
        guard last != nil else { return nil }
        return VenueRequest(purpose: .trades(instrument), url: url(instrument, "trades?limit=1000"))
    }

    /// Trades, newest first; they are said in the order in which they happened.
    private mutating func readTrades(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var trades: [PoloniexTrade] = []
        try scanner.array { scanner throws(ScanError) in trades.append(try PoloniexTrade.read(&scanner)) }
        if let first = trades.first, let last = trades.last, first.venueTime >= last.venueTime {
            trades.reverse()
        }
        for trade in trades { try say(trade, of: index, isBackfill: true, at: time, into: &output) }
    }

    private mutating func readDefinitions(
        _ scanner: inout JSONScanner, into output: inout VenueOutput
    ) throws(ScanError) {
        let venue = core.configuration.venue
        try scanner.array { scanner throws(ScanError) in
            guard let instrument = try PoloniexDefinition.read(&scanner, venue) else { return }
            core.define(instrument, into: &output)
        }
        grow()
    }
}
