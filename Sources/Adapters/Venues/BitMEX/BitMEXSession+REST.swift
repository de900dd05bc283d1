package import Instruments
package import MarketData

extension BitMEXSession {
    package mutating func responded(
        to request: VenueRequest, status: Int, body: UnsafeRawBufferPointer, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        guard status == 200 else { return }
        do throws(ScanError) {
            guard var scanner = JSONScanner(body) else { throw .malformed }
            switch request.purpose {
            case .instruments:
                try readInstruments(&scanner, into: &output)
                core.compareWithList(at: time, into: &output)
            case .trades: try readTrades(&scanner, isBackfill: true, at: time, into: &output)
            case .bookSnapshot, .audit, .connection, .openInterest: break
            }
        } catch {
            output.malformed("answer", bytes: body.count)
        }
    }

    package mutating func request(for url: String) -> VenueRequest? {
        let path = URLText.path(of: url)
        if path.hasSuffix(core.configuration.description.instrumentList) || path.hasSuffix("/instrument") {
            return VenueRequest(purpose: .instruments, url: url)
        }
        guard let symbol = URLText.parameter("symbol", of: url), let index = core.registry.find(symbol) else {
            return nil
        }
        if path.hasSuffix("/orderBook/L2") { return VenueRequest(purpose: .audit(index), url: url) }
        if path.hasSuffix("/trade") { return VenueRequest(purpose: .trades(index), url: url) }
        return nil
    }

    package func auditRequest(for instrument: InstrumentIndex) -> VenueRequest? {
        let symbol = URLText.escape(core.registry[instrument].symbol)
        return VenueRequest(
            purpose: .audit(instrument),
            url: "\(core.configuration.restURL)/api/v1/orderBook/L2?symbol=\(symbol)&depth=0")
    }

    package func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book? {
        let ours = core.trackers[instrument.offset].book
        var book = Book(priceScale: ours.priceScale, sizeScale: ours.sizeScale)
        let symbol = core.registry[instrument].symbol
        do throws(ScanError) {
            guard var scanner = JSONScanner(body) else { return nil }
            var levels: [(BookSide, DecimalNumber, DecimalNumber)] = []
            try scanner.array { scanner throws(ScanError) in
                let row = try BitMEXRow.read(&scanner) { bytes in
                    bytes.elementsEqual(symbol.utf8) ? instrument : nil
                }
                guard let row, let price = row.price, let size = row.size else { throw .malformed }
                levels.append((row.side, price.normalized, size.normalized))
            }
            for (side, price, size) in levels {
                try book.set(side, price, size)
            }
            return book
        } catch {
            return nil
        }
    }

    package func tradesRequest(for instrument: InstrumentIndex, after last: TradeMark?) -> VenueRequest? {
        guard let last else { return nil }
        // The route counts from a time: the trades of the last known millisecond come again and are known by
        // id.
        return VenueRequest(
            purpose: .trades(instrument),
            url: BitMEXText.trades(
                restURL: core.configuration.restURL, symbol: core.registry[instrument].symbol,
                after: last.venueTime.iso8601(fractionDigits: 3)))
    }
}

extension Book {
    /// Sets a level from decimals of any scale, growing the book's scales as needed.
    mutating func set(_ side: BookSide, _ price: DecimalNumber, _ size: DecimalNumber) throws(ScanError) {
        do throws(BookError) {
            try refine(price: price.scale, size: size.scale)
        } catch {
            throw .overflow
        }
        do throws(DecimalError) {
            set(
                side, Price(try price.rescaled(to: priceScale).units),
                Quantity(try size.rescaled(to: sizeScale).units))
        } catch {
            throw .overflow
        }
    }
}
