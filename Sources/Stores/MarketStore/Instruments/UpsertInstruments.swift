public import Instruments
public import Store

/// Stores what venues say of their instruments; rows that say nothing new are left alone.
///
/// `execute` returns how many rows are new or changed. Of two descriptions of one instrument the later wins.
public struct UpsertInstruments: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    ///
    /// Rows go in by name, so that two programs never wait for each other crosswise.
    public static let sql = """
        INSERT INTO market.instrument AS old (
            venue, symbol, base, quote, kind, price_scale, size_scale, tick_size, lot_size,
            contract_multiplier, is_inverse, updated_at)
        SELECT new.*, $12
        FROM unnest(
            $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::smallint[], $7::smallint[],
            $8::numeric[], $9::numeric[], $10::numeric[], $11::boolean[]) AS new (venue, symbol)
        ORDER BY new.venue, new.symbol
        ON CONFLICT (venue, symbol) DO UPDATE SET
            base = excluded.base, quote = excluded.quote, kind = excluded.kind,
            price_scale = excluded.price_scale, size_scale = excluded.size_scale,
            tick_size = excluded.tick_size, lot_size = excluded.lot_size,
            contract_multiplier = excluded.contract_multiplier,
            is_inverse = excluded.is_inverse, updated_at = excluded.updated_at
        WHERE (old.base, old.quote, old.kind, old.price_scale, old.size_scale, old.tick_size, old.lot_size,
            old.contract_multiplier, old.is_inverse)
            IS DISTINCT FROM (excluded.base, excluded.quote, excluded.kind, excluded.price_scale,
            excluded.size_scale, excluded.tick_size, excluded.lot_size, excluded.contract_multiplier,
            excluded.is_inverse)
        """

    private let instruments: [Instrument]
    private let time: Timestamp

    /// - Parameters:
    ///   - instruments: In any order.
    ///   - time: When the venue said it.
    public init(_ instruments: [Instrument], at time: Timestamp) {
        let latest = Dictionary(instruments.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
        self.instruments = Array(latest.values)
        self.time = time
    }

    /// Appends one array per column.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(instruments.map(\.id.venue.rawValue))
        parameters.append(instruments.map(\.id.symbol))
        parameters.append(instruments.map(\.base.rawValue))
        parameters.append(instruments.map(\.quote.rawValue))
        parameters.append(instruments.map(\.kind.rawValue))
        parameters.append(instruments.map { Int16($0.priceScale.places) })
        parameters.append(instruments.map { Int16($0.sizeScale.places) })
        parameters.append(instruments.map { $0.tickSize.map(Numeric.init) })
        parameters.append(instruments.map { $0.lotSize.map(Numeric.init) })
        parameters.append(instruments.map { $0.contractMultiplier.map(Numeric.init) })
        parameters.append(instruments.map(\.isInverse))
        parameters.append(timestamp: time.nanoseconds)
    }
}
