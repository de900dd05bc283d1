import Instruments
import MarketData

extension BitMEXSession {
    /// Rows of `trade`: `timestamp, symbol, side, size, price, trdMatchID`.
    mutating func readTrades(
        _ scanner: inout JSONScanner, isBackfill: Bool, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.array { scanner throws(ScanError) in
            var index: InstrumentIndex?
            var side: Side?
            var size: DecimalNumber?
            var price: DecimalNumber?
            var venueTime: Timestamp?
            var id: String?
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "symbol") {
                    let text = try scanner.text()
                    index = core.instrument(scanner.bytes(text))
                } else if scanner.equals(key, "timestamp") {
                    let text = try scanner.text()
                    venueTime = Timestamp(iso8601: scanner.bytes(text))
                } else if scanner.equals(key, "side"), try !scanner.takeNull() {
                    let text = try scanner.text()
                    side = scanner.equals(text, "Buy") ? .buy : scanner.equals(text, "Sell") ? .sell : nil
                } else if scanner.equals(key, "size"), try !scanner.takeNull() {
                    size = try scanner.rawDecimal()
                } else if scanner.equals(key, "price"), try !scanner.takeNull() {
                    price = try scanner.rawDecimal()
                } else if scanner.equals(key, "trdMatchID"), try !scanner.takeNull() {
                    let text = try scanner.text()
                    id = scanner.string(text)
                } else {
                    try scanner.skip()
                }
            }
            guard let venueTime, let id else { throw .malformed }
            growTables()
            guard let index, core.wants(.trade, index) else {
                output.counters.unexpected &+= 1
                return
            }
            // Some rows of the tape (settlements, for one) have no side or size: they are no public
            // executions.
            guard let side, let size, let price, output.accepts(price, size, of: index, id: id) else {
                return
            }
            let (scaledPrice, scaledSize) = try core.scale(price, size, index)
            let book = core.trackers[index.offset].book
            output.events.append(
                .trade(
                    index,
                    Trade(
                        id: id, side: side, price: scaledPrice, size: scaledSize, priceScale: book.priceScale,
                        sizeScale: book.sizeScale, venueTime: venueTime, receivedTime: time,
                        isBackfill: isBackfill)))
        }
    }

    /// Rows of `quote`: `timestamp, symbol, bidSize, bidPrice, askPrice, askSize`, any of them null.
    mutating func readQuotes(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.array { scanner throws(ScanError) in
            var index: InstrumentIndex?
            var venueTime: Timestamp?
            var bidPrice: DecimalNumber?
            var bidSize: DecimalNumber?
            var askPrice: DecimalNumber?
            var askSize: DecimalNumber?
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "symbol") {
                    let text = try scanner.text()
                    index = core.instrument(scanner.bytes(text))
                } else if scanner.equals(key, "timestamp") {
                    let text = try scanner.text()
                    venueTime = Timestamp(iso8601: scanner.bytes(text))
                } else if scanner.equals(key, "bidPrice") {
                    bidPrice = try scanner.anyDecimal()
                } else if scanner.equals(key, "bidSize") {
                    bidSize = try scanner.anyDecimal()
                } else if scanner.equals(key, "askPrice") {
                    askPrice = try scanner.anyDecimal()
                } else if scanner.equals(key, "askSize") {
                    askSize = try scanner.anyDecimal()
                } else {
                    try scanner.skip()
                }
            }
            guard let venueTime else { throw .malformed }
            growTables()
            guard let index, core.wants(.ticker, index) else {
                output.counters.unexpected &+= 1
                return
            }
            output.events.append(
                .ticker(
                    index,
                    try core.ticker(
                        bid: (bidPrice, bidSize), ask: (askPrice, askSize), index, venueTime: venueTime,
                        at: time)))
        }
    }

    /// Rows of `instrument`, by WebSocket or from `GET /api/v1/instrument/active`.
    mutating func readInstruments(
        _ scanner: inout JSONScanner, into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.array { scanner throws(ScanError) in
            let venue = core.configuration.venue
            if let instrument = try BitMEXDefinition.read(&scanner, venue) {
                core.define(instrument, into: &output)
            }
        }
        growTables()
    }
}

/// What BitMEX says of an instrument.
///
/// Source: BitMEX API Explorer, "Instrument", read 2026-11.
enum BitMEXDefinition {
    /// Reads one row; `nil` for one without a tick, such as an index.
    static func read(_ scanner: inout JSONScanner, _ venue: Venue) throws(ScanError) -> Instrument? {
        var symbol: String?
        var base: String?
        var quote: String?
        var type: String?
        var tick: DecimalNumber?
        var lot: DecimalNumber?
        var multiplier: DecimalNumber?
        var settlement: String?
        var isInverse = false
        try scanner.object { scanner, key throws(ScanError) in
            if try scanner.takeNull() { return }
            if scanner.equals(key, "symbol") {
                symbol = scanner.string(try scanner.text())
            } else if scanner.equals(key, "underlying") {
                base = scanner.string(try scanner.text())
            } else if scanner.equals(key, "quoteCurrency") {
                quote = scanner.string(try scanner.text())
            } else if scanner.equals(key, "typ") {
                type = scanner.string(try scanner.text())
            } else if scanner.equals(key, "tickSize") {
                tick = try scanner.anyDecimal()
            } else if scanner.equals(key, "lotSize") {
                lot = try scanner.anyDecimal()
            } else if scanner.equals(key, "multiplier") {
                multiplier = try scanner.anyDecimal()
            } else if scanner.equals(key, "settlCurrency") {
                settlement = scanner.string(try scanner.text())
            } else if scanner.equals(key, "isInverse") {
                isInverse = try scanner.bool()
            } else {
                try scanner.skip()
            }
        }
        guard let symbol, !symbol.isEmpty, let tick = tick?.normalized, tick.units > 0 else { return nil }
        return Instrument(
            id: InstrumentID(venue: venue, symbol: symbol), base: Asset(rawValue: base ?? ""),
            quote: Asset(rawValue: quote ?? ""), kind: kind(type ?? ""), priceScale: tick.scale,
            // Sizes are whole contracts, for spot too: BitMEX counts them in the smallest unit.
            sizeScale: .zero, tickSize: tick, lotSize: lot?.normalized,
            contractMultiplier: inQuote(multiplier, quote ?? "", settlement ?? "", isInverse: isInverse),
            isInverse: isInverse)
    }

    /// What one contract is in the quote asset, for an inverse one, or else at a price of 1.
    ///
    /// BitMEX says it in the smallest unit of the coin of settlement (XBt is 10^-8 XBT, USDt 10^-6 USDT),
    /// below zero for inverse contracts. A contract that is settled in another coin than its quote asset
    /// (quanto) has no fixed worth in the quote asset: 0, which stands for unknown.
    private static func inQuote(
        _ multiplier: DecimalNumber?, _ quote: String, _ settlement: String, isInverse: Bool
    ) -> DecimalNumber? {
        guard let multiplier = multiplier?.normalized else { return nil }
        let unknown = DecimalNumber(units: 0, scale: .zero)
        let places = settlement == "XBt" || settlement.isEmpty ? 8 : 6
        guard isInverse || settlement.uppercased() == quote.uppercased(), multiplier.units != .min,
            let scale = Scale(multiplier.scale.places + places)
        else { return unknown }
        return DecimalNumber(units: abs(multiplier.units), scale: scale).normalized
    }

    /// CFI codes: FFWC..
    ///
    /// perpetual, FF.. future, IF.. spot, OC../OP.. option.
    private static func kind(_ code: String) -> InstrumentKind {
        if code.hasPrefix("FFWC") || code.hasPrefix("FFWX") { return .perpetual }
        if code.hasPrefix("IF") { return .spot }
        if code.hasPrefix("O") { return .option }
        return .future
    }
}
