package import Instruments
package import MarketData

extension UpbitSession {
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
                askAnew(into: &output)
            case .bookSnapshot(let index):
                // A message that came meanwhile is newer.
                guard takesImage(index) else { return }
                guard let image = try readRows(&scanner).first else { throw .malformed }
                try takeImage(image, index, at: time, into: &output)
            case .trades(let index):
                // Newest first.
                let rows = try readRows(&scanner).reversed()
                try say(Array(rows), of: index, isBackfill: true, at: time, into: &output)
            case .audit, .connection, .openInterest: break
            }
        } catch {
            if status == 200 {
                output.events.removeLast(output.events.count - events)
                output.malformed("answer", bytes: body.count)
            }
            if case .bookSnapshot(let index) = request.purpose, core.takesImage(index) {
                let delay = core.governor.delay(attempts: core.trackers[index.offset].attempts)
                core.trackers[index.offset].phase = .scheduled(at: time.adding(nanoseconds: max(delay, 1)))
            }
        }
    }

    package mutating func request(for url: String) -> VenueRequest? {
        let path = URLText.path(of: url)
        if path.hasSuffix(core.configuration.description.instrumentList) {
            return VenueRequest(purpose: .instruments, url: url)
        }
        let name = URLText.parameter("market", of: url) ?? URLText.parameter("markets", of: url)
        guard var symbol = name else { return nil }
        let known = symbol.withUTF8 { core.instrument(UnsafeRawBufferPointer($0)) }
        guard let known else { return nil }
        if path.hasSuffix("/orderbook") { return VenueRequest(purpose: .bookSnapshot(known), url: url) }
        if path.hasSuffix("/trades/ticks") { return VenueRequest(purpose: .trades(known), url: url) }
        return nil
    }

    package func auditRequest(for instrument: InstrumentIndex) -> VenueRequest? {
        VenueRequest(purpose: .audit(instrument), url: bookURL(instrument))
    }

    package func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book? {
        guard var scanner = JSONScanner(body) else { return nil }
        do throws(ScanError) {
            return try readRows(&scanner).first?.levels.flatMap { core.auditBook($0, instrument) }
        } catch {
            return nil
        }
    }

    /// The newest 500 trades: more of the day lie behind them, which is a hole then.
    package func tradesRequest(for instrument: InstrumentIndex, after last: TradeMark?) -> VenueRequest? {
        guard last != nil else { return nil }
        let market = URLText.escape(core.registry[instrument].symbol)
        let url = "\(core.configuration.restURL)/v1/trades/ticks?market=\(market)&count=500"
        return VenueRequest(purpose: .trades(instrument), url: url)
    }

    private func readRows(_ scanner: inout JSONScanner) throws(ScanError) -> [UpbitMessage] {
        var rows: [UpbitMessage] = []
        try scanner.array { scanner throws(ScanError) in rows.append(try UpbitMessage.read(&scanner)) }
        try scanner.expectEnd()
        return rows
    }

    /// `market`: quote, dash, base.
    ///
    /// It says nothing of places: sizes have eight at the most, prices in won few or none, all others eight.
    ///
    /// Source: Upbit, "List of trading pairs" and "Order price units"; not confirmed.
    private mutating func readDefinitions(
        _ scanner: inout JSONScanner, into output: inout VenueOutput
    ) throws(ScanError) {
        for row in try readRows(&scanner) {
            guard let code = row.code, let symbol = scanner.string(code),
                let dash = symbol.firstIndex(of: "-"), let fine = Scale(8)
            else { continue }
            let (quote, base) = (String(symbol[..<dash]), String(symbol[symbol.index(after: dash)...]))
            core.define(
                Instrument(
                    id: InstrumentID(venue: core.configuration.venue, symbol: symbol),
                    base: Asset(rawValue: base), quote: Asset(rawValue: quote), kind: .spot,
                    priceScale: quote == "KRW" ? .zero : fine, sizeScale: fine),
                into: &output)
        }
    }
}
