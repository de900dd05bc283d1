package import Instruments
package import MarketData

extension KuCoinSession {
    package mutating func responded(
        to request: VenueRequest, status: Int, body: UnsafeRawBufferPointer, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let events = output.events.count
        do throws(ScanError) {
            guard status == 200, var scanner = JSONScanner(body) else { throw .malformed }
            try scanner.enterData()
            switch request.purpose {
            case .instruments:
                try readDefinitions(&scanner, into: &output)
                core.compareWithList(at: time, into: &output)
            case .bookSnapshot(let index):
                let image = try readImage(&scanner, index, limit: Self.limit(of: request.url))
                takeImage(image, index, at: time, into: &output)
            case .connection: try readToken(&scanner, into: &output)
            case .audit, .trades, .openInterest: break
            }
        } catch {
            if status == 200 {
                output.events.removeLast(output.events.count - events)
                output.malformed("answer", bytes: body.count)
            }
            if request.purpose == .connection { missToken(at: time) }
            if case .bookSnapshot(let index) = request.purpose, !core.trackers[index.offset].isFollowing {
                retryImage(index, at: time)
            }
        }
        askForImages(at: time, into: &output)
    }

    package mutating func request(for url: String) -> VenueRequest? {
        let path = URLText.path(of: url)
        if path.hasSuffix(core.configuration.description.instrumentList) {
            return VenueRequest(purpose: .instruments, url: url)
        }
        let name = path.split(separator: "/").last ?? ""
        guard name == "level2" || name.hasPrefix("level2_"), let symbol = URLText.parameter("symbol", of: url)
        else { return nil }
        var text = symbol
        let known = text.withUTF8 { instrument(UnsafeRawBufferPointer($0)) }
        return known.map { VenueRequest(purpose: .bookSnapshot($0), url: url) }
    }

    /// Levels a side that a route of the order book gives: `level2_100`, or all of them.
    private static func limit(of url: String) -> Int? {
        URLText.path(of: url).split(separator: "_").last.flatMap { Int($0) }
    }

    package func auditRequest(for instrument: InstrumentIndex) -> VenueRequest? {
        VenueRequest(purpose: .audit(instrument), url: imageURL(instrument))
    }

    package func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book? {
        var session = self
        do throws(ScanError) {
            guard var scanner = JSONScanner(body) else { return nil }
            try scanner.enterData()
            let image = try session.readImage(&scanner, instrument, limit: nil)
            let scales = session.core.scales(of: instrument)
            var book = Book(priceScale: scales.price, sizeScale: scales.size)
            book.replace(bids: image.bids, asks: image.asks)
            return book
        } catch {
            return nil
        }
    }

    /// None: past trades have no `tradeId`, so that those known could not be told from the others.
    package func tradesRequest(
        for instrument: InstrumentIndex, after last: TradeMark?
    ) -> VenueRequest? { nil }

    // MARK: - Answers

    private mutating func readImage(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, limit: Int?
    ) throws(ScanError) -> KuCoinImage {
        let body = scanner.index
        for _ in 0...36 {
            do throws(ScanError) {
                scanner.index = body
                return try readImageFields(&scanner, index, limit: limit)
            } catch {
                guard core.refine(index, after: error) else { throw error }
            }
        }
        throw .malformed
    }

    private func readImageFields(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, limit: Int?
    ) throws(ScanError) -> KuCoinImage {
        var image = KuCoinImage(sequence: -1, venueTime: nil, bids: [], asks: [], limit: limit)
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "sequence") {
                image.sequence = try scanner.integer()
            } else if scanner.equals(key, "time") {
                image.venueTime = Timestamp(milliseconds: try scanner.integer())
            } else if scanner.equals(key, "bids") {
                image.bids = try readLevels(&scanner, index)
            } else if scanner.equals(key, "asks") {
                image.asks = try readLevels(&scanner, index)
            } else {
                try scanner.skip()
            }
        }
        guard image.sequence >= 0 else { throw .malformed }
        return image
    }

    private func readLevels(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex
    ) throws(ScanError) -> [BookLevel] {
        if try scanner.takeNull() { return [] }
        let (priceForm, sizeForm) = core.forms[index.offset]
        var levels: [BookLevel] = []
        try scanner.array { scanner throws(ScanError) in
            try scanner.expect(0x5B)
            let price = try scanner.decimal(priceForm).units
            try scanner.expect(0x2C)
            let size = try scanner.decimal(sizeForm).units
            while try scanner.take(0x2C) { try scanner.skip() }
            try scanner.expect(0x5D)
            guard price > 0, size >= 0 else { throw .malformed }
            if size > 0 { levels.append(BookLevel(price: Price(price), size: Quantity(size))) }
        }
        return levels
    }

    /// `{"token":…,"instanceServers":[{"endpoint":…},…]}`.
    private mutating func readToken(
        _ scanner: inout JSONScanner, into output: inout VenueOutput
    ) throws(ScanError) {
        var token: String?
        var endpoint: String?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "token") {
                token = scanner.string(try scanner.text())
            } else if scanner.equals(key, "instanceServers") {
                try scanner.array { scanner throws(ScanError) in
                    try scanner.object { scanner, key throws(ScanError) in
                        guard scanner.equals(key, "endpoint") else { return try scanner.skip() }
                        let text = try scanner.text()
                        endpoint = endpoint ?? scanner.string(text)
                    }
                }
            } else {
                try scanner.skip()
            }
        }
        guard let token, !token.isEmpty, let endpoint, endpoint.hasPrefix("ws") else { throw .malformed }
        connect(with: URLText.escape(token), at: endpoint, into: &output)
    }

    /// `symbol, baseCurrency, quoteCurrency, baseIncrement, priceIncrement`.
    private mutating func readDefinitions(
        _ scanner: inout JSONScanner, into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.array { scanner throws(ScanError) in
            var texts: (symbol: String?, base: String?, quote: String?)
            var tick: DecimalNumber?
            var lot: DecimalNumber?
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "symbol") {
                    texts.symbol = scanner.string(try scanner.text())
                } else if scanner.equals(key, "baseCurrency") {
                    texts.base = scanner.string(try scanner.text())
                } else if scanner.equals(key, "quoteCurrency") {
                    texts.quote = scanner.string(try scanner.text())
                } else if scanner.equals(key, "priceIncrement") {
                    tick = try scanner.anyDecimal()?.normalized
                } else if scanner.equals(key, "baseIncrement") {
                    lot = try scanner.anyDecimal()?.normalized
                } else {
                    try scanner.skip()
                }
            }
            guard let symbol = texts.symbol, !symbol.isEmpty, let base = texts.base, let quote = texts.quote
            else { return }
            core.define(
                Instrument(
                    id: InstrumentID(venue: core.configuration.venue, symbol: symbol),
                    base: Asset(rawValue: base), quote: Asset(rawValue: quote), kind: .spot,
                    priceScale: tick?.scale ?? .zero, sizeScale: lot?.scale ?? .zero, tickSize: tick,
                    lotSize: lot), into: &output)
        }
    }
}

extension JSONScanner {
    /// Stands on `data` of an answer; one with a code that is not "200000" is none.
    mutating func enterData() throws(ScanError) {
        var data: Int?
        var isRefused = false
        try object { scanner, key throws(ScanError) in
            if scanner.equals(key, "data") {
                data = scanner.index
                try scanner.skip()
            } else if scanner.equals(key, "code") {
                let text = try scanner.scalarText()
                isRefused = !scanner.equals(text, "200000")
            } else {
                try scanner.skip()
            }
        }
        try expectEnd()
        guard !isRefused, let data else { throw .malformed }
        index = data
    }
}
