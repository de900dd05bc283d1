import Instruments

/// What Deribit says of an instrument.
///
/// Source: Deribit API, "public/get_instruments", read 2026-11.
enum DeribitDefinition {
    /// The fields that are read.
    private struct Fields {
        var symbol = ""
        var base = ""
        var quote = ""
        var kind = ""
        var period = ""
        var future = ""
        var tick: DecimalNumber?
        var lot: DecimalNumber?
        /// The finest step at any price.
        var scale = Scale.zero
    }

    /// Reads one row; `nil` for a combination, whose prices may be below zero.
    static func read(_ scanner: inout JSONScanner, _ venue: Venue) throws(ScanError) -> Instrument? {
        let fields = try readFields(&scanner)
        guard !fields.symbol.isEmpty, let kind = kind(of: fields) else { return nil }
        // Before 2022 nothing but the currencies told.
        let isInverse =
            kind != .spot && kind != .option
            && (fields.future == "reversed" || (fields.future.isEmpty && fields.quote == "USD"))
        let lot = fields.lot?.normalized
        return Instrument(
            id: InstrumentID(venue: venue, symbol: fields.symbol), base: Asset(rawValue: fields.base),
            quote: Asset(rawValue: fields.quote), kind: kind, priceScale: fields.scale,
            sizeScale: lot?.scale ?? .zero, tickSize: fields.tick?.normalized, lotSize: lot,
            // Amounts are US dollars for inverse contracts and units of the base asset for all others.
            contractMultiplier: kind == .spot ? nil : DecimalNumber(units: 1, scale: .zero),
            isInverse: isInverse)
    }

    private static func kind(of fields: Fields) -> InstrumentKind? {
        switch fields.kind {
        case "future": fields.period == "perpetual" ? .perpetual : .future
        case "option": .option
        case "spot": .spot
        default: nil
        }
    }

    private static func readFields(_ scanner: inout JSONScanner) throws(ScanError) -> Fields {
        var fields = Fields()
        func text(_ scanner: inout JSONScanner) throws(ScanError) -> String {
            scanner.string(try scanner.text()) ?? ""
        }
        try scanner.object { scanner, key throws(ScanError) in
            if try scanner.takeNull() { return }
            if scanner.equals(key, "instrument_name") {
                fields.symbol = try text(&scanner)
            } else if scanner.equals(key, "base_currency") {
                fields.base = try text(&scanner)
            } else if scanner.equals(key, "quote_currency") {
                fields.quote = try text(&scanner)
            } else if scanner.equals(key, "kind") {
                fields.kind = try text(&scanner)
            } else if scanner.equals(key, "settlement_period") {
                fields.period = try text(&scanner)
            } else if scanner.equals(key, "future_type") || scanner.equals(key, "instrument_type") {
                // Both say `reversed` or `linear`.
                fields.future = try text(&scanner)
            } else if scanner.equals(key, "tick_size") {
                fields.tick = try scanner.anyDecimal()
                fields.scale = max(fields.scale, fields.tick?.normalized.scale ?? .zero)
            } else if scanner.equals(key, "tick_size_steps") {
                fields.scale = max(fields.scale, try finestStep(&scanner))
            } else if scanner.equals(key, "min_trade_amount") {
                fields.lot = try scanner.anyDecimal()
            } else {
                try scanner.skip()
            }
        }
        return fields
    }

    /// The places of the finest of `[{"above_price":0.005,"tick_size":0.0005},…]`.
    private static func finestStep(_ scanner: inout JSONScanner) throws(ScanError) -> Scale {
        var scale = Scale.zero
        try scanner.array { scanner throws(ScanError) in
            try scanner.object { scanner, key throws(ScanError) in
                guard scanner.equals(key, "tick_size") else { return try scanner.skip() }
                scale = max(scale, try scanner.anyDecimal()?.normalized.scale ?? .zero)
            }
        }
        return scale
    }
}
