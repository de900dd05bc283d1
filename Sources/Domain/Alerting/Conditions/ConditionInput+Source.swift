import Instruments

extension ConditionInput {
    /// Whether it is of one instrument, which the rule then must name.
    public var needsInstrument: Bool {
        switch self {
        case .figure, .listings: false
        case .price, .closes, .trades, .spread, .levels, .derivative, .feed: true
        }
    }

    /// Which of an instrument's prices it is; `nil` when it is something else.
    public var price: PriceKind? {
        if case .price(let kind) = self { return kind }
        return nil
    }

    /// The interval of the closed candles that it is, in nanoseconds.
    public var interval: Int64? {
        if case .closes(let interval) = self { return interval }
        return nil
    }

    /// Whose data decides it; `nil` for what becomes of a feed.
    public var source: AlertSource? {
        switch self {
        case .price(let price): price.source
        case .trades, .closes: .trades
        case .spread, .levels: .book
        case .derivative: .derivative
        case .figure, .listings: .reference
        case .feed: nil
        }
    }

    /// What its data is of: the figure or the venue that it names, else the instrument.
    func subject(or instrument: InstrumentID?) -> InstrumentID? {
        switch self {
        case .figure(let id, let metric): .portfolio(id, metric)
        case .listings(let venue): .listings(of: venue)
        case .price, .closes, .trades, .spread, .levels, .derivative, .feed: instrument
        }
    }

    /// The stream of values that levels are watched in; `nil` where there is none.
    func series(of instrument: InstrumentID?) -> SeriesKey? {
        switch (self, instrument) {
        case (.price(let kind), let id?): .price(id, kind)
        case (.spread, let id?): .spread(id)
        case (.closes(let interval), let id?): .close(id, interval: interval)
        case (.derivative(let measure), let id?): .derivative(id, measure)
        case (.figure(let id, let metric), _): .portfolio(id: id, metric)
        default: nil
        }
    }
}
