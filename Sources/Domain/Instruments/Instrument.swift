/// A currency or coin by its code, such as `BTC`.
public struct Asset: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code as the venue spells it.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }
}

/// What kind of contract an instrument is.
public enum InstrumentKind: String, Sendable, CaseIterable {
    /// Delivery of the asset itself, now.
    case spot
    /// A future without an expiry, held near the spot price by funding payments.
    case perpetual
    /// A future with an expiry.
    case future
    /// The right, not the duty, to trade at a strike.
    case option
}

/// What a venue says of something that it trades.
public struct Instrument: Hashable, Sendable {
    /// The venue and its symbol.
    public var id: InstrumentID
    /// What is bought or sold.
    public var base: Asset
    /// What it is paid in.
    public var quote: Asset
    /// Spot or which derivative.
    public var kind: InstrumentKind
    /// Decimal places of prices.
    public var priceScale: Scale
    /// Decimal places of sizes.
    public var sizeScale: Scale
    /// The smallest step of the price; `nil` where the venue does not say.
    public var tickSize: DecimalNumber?
    /// The smallest step of the size; `nil` where the venue does not say.
    public var lotSize: DecimalNumber?
    /// Units of the underlying in one contract; `nil` for spot or where the venue does not say.
    public var contractMultiplier: DecimalNumber?
    /// True when profit is paid in the base asset and a contract is worth a fixed amount of the quote.
    public var isInverse: Bool

    public init(
        id: InstrumentID, base: Asset, quote: Asset, kind: InstrumentKind, priceScale: Scale,
        sizeScale: Scale,
        tickSize: DecimalNumber? = nil, lotSize: DecimalNumber? = nil,
        contractMultiplier: DecimalNumber? = nil,
        isInverse: Bool = false
    ) {
        self.id = id
        self.base = base
        self.quote = quote
        self.kind = kind
        self.priceScale = priceScale
        self.sizeScale = sizeScale
        self.tickSize = tickSize
        self.lotSize = lotSize
        self.contractMultiplier = contractMultiplier
        self.isInverse = isInverse
    }
}
