public import Instruments

extension Venue {
    /// Not a venue: instruments of this name are the index prices of pairs, such as `index:BTC-USD`.
    public static let index = Venue(rawValue: "index")
    /// Not a venue: what a portfolio is worth goes under its name and the portfolio's id.
    public static let portfolio = Venue(rawValue: "portfolio")
}

extension InstrumentID {
    /// How an engine calls a figure of a portfolio: each is proven or not on its own.
    public static func portfolio(_ id: String, _ metric: PortfolioMetric) -> InstrumentID {
        InstrumentID(venue: .portfolio, symbol: metric == .value ? id : "\(id)/\(metric.rawValue)")
    }

    /// How an engine calls all that a venue lists.
    public static func listings(of venue: Venue) -> InstrumentID { InstrumentID(venue: venue, symbol: "*") }

    /// Whether it is something that a venue trades, and none of the others that rules can be about.
    public var isTraded: Bool { venue != .index && venue != .portfolio && symbol != "*" }
}

extension AlertRule {
    /// What its data is of: its instrument, or the figure or the venue that the condition names.
    public var subject: InstrumentID? { condition.input.subject(or: instrument) }
}
