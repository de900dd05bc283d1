package import Instruments
package import Store

extension Session {
    /// The stored instruments of a venue, or of all without one, sorted by venue and symbol.
    package func instruments(on venue: Venue? = nil) throws(StoreError) -> [Instrument] {
        try rows(
            """
            SELECT \(Instrument.columns) FROM market.instrument
            WHERE \(venue?.rawValue)::text IS NULL OR venue = \(venue?.rawValue)
            ORDER BY venue, symbol
            """, Instrument.init)
    }

    /// The stored instruments of a kind and of some bases, sorted by venue and symbol.
    package func instruments(
        ofBases bases: [String], _ kind: InstrumentKind
    ) throws(StoreError) -> [Instrument] {
        try rows(
            """
            SELECT \(Instrument.columns) FROM market.instrument
            WHERE kind = \(kind.rawValue) AND base = ANY (\(bases))
            ORDER BY venue, symbol
            """, Instrument.init)
    }

    /// Those of some names that an instrument has as base or quote.
    package func tradedAssets(among names: [String]) throws(StoreError) -> Set<String> {
        Set(
            try rows(
                """
                SELECT base FROM market.instrument WHERE base = ANY (\(names))
                UNION SELECT quote FROM market.instrument WHERE quote = ANY (\(names))
                """
            ) { try $0.text() })
    }

    /// One stored instrument.
    package func instrument(_ id: InstrumentID) throws(StoreError) -> Instrument? {
        try first(
            """
            SELECT \(Instrument.columns) FROM market.instrument
            WHERE venue = \(id.venue.rawValue) AND symbol = \(id.symbol)
            """, Instrument.init)
    }
}

extension Database {
    /// The stored instruments of a venue, or of all without one, sorted by venue and symbol.
    package func instruments(on venue: Venue? = nil) async throws(StoreError) -> [Instrument] {
        try await withSession { session in try session.instruments(on: venue) }
    }

    /// One stored instrument.
    package func instrument(_ id: InstrumentID) async throws(StoreError) -> Instrument? {
        try await withSession { session in try session.instrument(id) }
    }

    /// The instruments of which trades or candles of a minute are stored, sorted by venue and symbol: those
    /// that somebody may want to hear of before anything new happens.
    package func tapes() async throws(StoreError) -> [InstrumentID] {
        // One look into an index each: the joins are lateral so that no plan reads the whole of a table.
        try await rows(
            """
            SELECT i.venue, i.symbol FROM market.instrument AS i
            LEFT JOIN LATERAL (
                SELECT 1 AS found FROM market.trade AS t WHERE t.instrument_id = i.instrument_id
                ORDER BY t.venue_time_unix_nanos DESC LIMIT 1) AS trade ON true
            LEFT JOIN LATERAL (
                SELECT 1 AS found FROM market.candle AS c
                WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = 60
                ORDER BY c.start_unix_nanos DESC LIMIT 1) AS minute ON true
            WHERE trade.found = 1 OR minute.found = 1
            ORDER BY i.venue, i.symbol
            """
        ) { try $0.instrumentID() }
    }
}

extension Instrument {
    fileprivate static let columns: SQL = """
        venue, symbol, base, quote, kind, price_scale, size_scale, tick_size, lot_size, contract_multiplier,
        is_inverse
        """

    fileprivate init(_ row: inout RowReader) throws(StoreError) {
        let id = try row.instrumentID()
        let base = Asset(rawValue: try row.text())
        let quote = Asset(rawValue: try row.text())
        let kind = try row.word(InstrumentKind.self)
        self.init(
            id: id, base: base, quote: quote, kind: kind, priceScale: try row.scale(),
            sizeScale: try row.scale(),
            tickSize: try row.decimalOrNil(), lotSize: try row.decimalOrNil(),
            contractMultiplier: try row.decimalOrNil(), isInverse: try row.bool())
    }
}
