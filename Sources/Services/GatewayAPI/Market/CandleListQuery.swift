import GatewayFrame
import Instruments
import MarketState
import MarketStore
import Shapes

/// Which candles somebody wants.
struct CandleListQuery: Hashable, Sendable {
    var interval: CandleInterval
    /// Included; `nil` for as many as there may be.
    var from: Timestamp?
    /// Excluded; `nil` for the newest stored.
    var to: Timestamp?
    /// At most so many, the newest of the span.
    var limit: Int
    /// The chart that they are for, when that was asked for.
    var range: ChartRange?
    /// Whether the open one belongs to them.
    var isLive: Bool

    private static let limits = (usual: 500, most: 1_000)
    private static let interval = Parameter.choice(
        "interval", "How long a candle is.", CandleInterval.self, default: .minute)
    private static let from = Parameter.time("from", "The first instant.")
    private static let to = Parameter.time("to", "The first instant after.")
    private static let live = Parameter.flag(
        "live",
        """
        Whether the candle that is being made belongs to them, as it was last told; not beside "to" and \
        "cursor". An interval of which nobody asked for a while is listened to from the first question on.
        """)

    private static func range(_ text: String) -> Parameter<ChartRange?> { .choice("range", text) }

    /// Which part of them is told.
    static let page: [any QueryParameter] = [
        Parameter.integer(
            "limit", "At most so many, the newest of the span.", in: 1...limits.most, default: limits.usual),
        Parameter.text("cursor", "The \"next\" of the page before.", atMost: 1_000),
    ]

    /// What it is read of for a chart.
    static let parameters: [any QueryParameter] =
        page + [
            interval, from, to,
            range(
                """
                A chart's span and interval, instead of the others. While fewer than two of its own candles \
                are there, as in the first minutes of an installation, shorter ones are given; "interval" in \
                the answer says which.
                """), live,
        ]

    /// Of which time stored candles are told.
    static let span: [any QueryParameter] = [
        interval, from, to, range("A chart's span and interval, instead of the others."),
    ]

    /// Reads `?interval=&from=&to=&limit=&cursor=`, or `?range=`, either with `&live=`.
    ///
    /// - Throws: `invalid-field`.
    init(_ context: GatewayContext, list: String) throws(Problem) {
        let query = context.query
        let page = try context.page(of: list, limit: Self.limits.usual, most: Self.limits.most)
        interval = try query[Self.interval] ?? .minute
        (from, to, limit) = (try query[Self.from], try query[Self.to], page.limit)
        range = try query[Self.range("")]
        isLive = try query[Self.live]
        for name in ["to", "cursor"] where isLive && !query.all(name).isEmpty {
            throw .invalid("live", "true", accepted: "false beside \(name)")
        }
        if let range {
            for name in ["interval", "from", "to", "limit", "cursor"] where !query.all(name).isEmpty {
                throw .invalid(name, query.all(name).first, accepted: "nothing beside range")
            }
            (interval, limit) = (range.interval, range.count)
        }
        if let after = page.after {
            guard let nanoseconds = Int64(after) else {
                throw .invalid("cursor", after, accepted: "the \"next\" of a page of this list")
            }
            to = Timestamp(nanoseconds: nanoseconds)
        } else if let from, let to, from >= to {
            throw .invalid("from", query.all("from").first, accepted: "a time before to")
        }
    }

    /// Of the past only what is fetched or amended later changes; the newest candles do all the time.
    func freshness(of rows: [CandleRow], at now: Timestamp) -> CachePolicy {
        guard let to, !rows.isEmpty, interval.end(from: to) <= now else { return .seconds(2) }
        return .seconds(60)
    }
}
