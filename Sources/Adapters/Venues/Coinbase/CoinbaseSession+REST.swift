package import Instruments
package import MarketData

extension CoinbaseSession {
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
        let isAdvanced = path.hasPrefix("/api/v3/")
        if isAdvanced, path.hasSuffix("/product_book") {
            return known(URLText.parameter("product_id", of: url)).map {
                VenueRequest(purpose: .audit($0), url: url)
            }
        }
        // …/products/<symbol>/<what>
        let parts = path.split(separator: "/")
        guard parts.count >= 3, parts[parts.count - 3] == "products",
            let index = known(URLText.unescape(parts[parts.count - 2]))
        else { return nil }
        switch parts[parts.count - 1] {
        case "book" where !isAdvanced: return VenueRequest(purpose: .audit(index), url: url)
        case "trades" where !isAdvanced, "ticker" where isAdvanced:
            return VenueRequest(purpose: .trades(index), url: url)
        default: return nil
        }
    }

    private func known(_ symbol: String?) -> InstrumentIndex? {
        symbol.flatMap { core.registry.find($0) }
    }

    package func auditRequest(for instrument: InstrumentIndex) -> VenueRequest? {
        let symbol = URLText.escape(core.registry[instrument].symbol)
        let route = core.configuration.coinbaseRoute
        let url =
            core.configuration.coinbaseInterface == .advanced
            ? "\(route)/product_book?product_id=\(symbol)&limit=500"
            : "\(route)/products/\(symbol)/book?level=2"
        return VenueRequest(purpose: .audit(instrument), url: url)
    }

    package func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book? {
        let ours = core.trackers[instrument.offset].book
        var book = Book(priceScale: ours.priceScale, sizeScale: ours.sizeScale)
        do throws(ScanError) {
            guard var scanner = JSONScanner(body) else { return nil }
            return try scanner.coinbaseBook(&book) == 2 ? book : nil
        } catch {
            return nil
        }
    }

    package func tradesRequest(for instrument: InstrumentIndex, after last: TradeMark?) -> VenueRequest? {
        guard let last, let id = Int64(last.id), id >= 0, id < .max - 1_000 else { return nil }
        let symbol = URLText.escape(core.registry[instrument].symbol)
        let route = "\(core.configuration.coinbaseRoute)/products/\(symbol)"
        // Advanced Trade gives the newest; the Exchange those before an id, and ids have no gaps. The last
        // known one comes again: an answer without it says nothing of what followed.
        let url =
            core.configuration.coinbaseInterface == .advanced
            ? "\(route)/ticker?limit=1000" : "\(route)/trades?after=\(id + 1_000)&limit=1000"
        return VenueRequest(purpose: .trades(instrument), url: url)
    }

    /// An array of the Exchange's, or `trades` of Advanced Trade's answer; both have the newest first.
    private mutating func readTradesAnswer(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var trades: [CoinbaseTrade] = []
        try scanner.coinbaseList("trades") { scanner throws(ScanError) in
            trades.append(try CoinbaseTrade(&scanner))
        }
        for trade in trades.reversed() {
            try say(trade, of: index, isBackfill: true, at: time, into: &output)
        }
    }

    private mutating func readDefinitions(
        _ scanner: inout JSONScanner, into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.coinbaseList("products") { scanner throws(ScanError) in
            let venue = core.configuration.venue
            if let instrument = try CoinbaseDefinition.read(&scanner, venue) {
                core.define(instrument, into: &output)
            }
        }
    }
}

extension JSONScanner {
    /// Walks an array, or the array under a name.
    fileprivate mutating func coinbaseList(
        _ name: StaticString, _ body: (inout JSONScanner) throws(ScanError) -> Void
    ) throws(ScanError) {
        if try peek() == 0x5B { return try array(body) }
        var isThere = false
        try object { scanner, key throws(ScanError) in
            guard scanner.equals(key, name) else { return try scanner.skip() }
            isThere = true
            try scanner.array(body)
        }
        guard isThere else { throw .malformed }
    }

    /// Reads `bids` and `asks` into a book: of Advanced Trade objects under `pricebook`, of the Exchange
    /// arrays.
    ///
    /// - Returns: How many sides there were.
    fileprivate mutating func coinbaseBook(_ book: inout Book) throws(ScanError) -> Int {
        var sides = 0
        try object { scanner, key throws(ScanError) in
            if scanner.equals(key, "pricebook") {
                sides += try scanner.coinbaseBook(&book)
                return
            }
            let side: BookSide = scanner.equals(key, "bids") ? .bid : .ask
            guard side == .bid || scanner.equals(key, "asks") else { return try scanner.skip() }
            sides += 1
            try scanner.array { scanner throws(ScanError) in
                let (price, size) = try scanner.coinbaseLevel()
                try book.set(side, price.normalized, size.normalized)
            }
        }
        return sides
    }

    private mutating func coinbaseLevel() throws(ScanError) -> (DecimalNumber, DecimalNumber) {
        var price: DecimalNumber?
        var size: DecimalNumber?
        if try peek() == 0x5B {
            try row(2) { scanner, place throws(ScanError) in
                if place == 0 { price = try scanner.rawDecimal() } else { size = try scanner.rawDecimal() }
            }
        } else {
            try object { scanner, key throws(ScanError) in
                if scanner.equals(key, "price") {
                    price = try scanner.rawDecimal()
                } else if scanner.equals(key, "size") {
                    size = try scanner.rawDecimal()
                } else {
                    try scanner.skip()
                }
            }
        }
        guard let price, let size else { throw .malformed }
        return (price, size)
    }
}
