public import Instruments
public import Store

/// That somebody wants something of an instrument.
public struct Subscription: Hashable, Sendable {
    /// What is wanted.
    public let instrument: InstrumentID
    /// Which of its streams, such as `book` and `trade`; sorted, without repetition.
    public let channels: [String]
    /// Who or what wants it, such as `configuration` or `alert:<id>`.
    public let wantedBy: String

    /// Says who wants what; at least one channel, in any order.
    public init(instrument: InstrumentID, channels: [String], wantedBy: String) {
        self.instrument = instrument
        self.channels = Set(channels).sorted()
        self.wantedBy = wantedBy
    }
}

/// Lists the subscriptions, sorted by venue, symbol and who wants it.
public struct ListSubscriptions: Statement {
    /// The statement's text.
    public static let sql = """
        SELECT venue, symbol, channels, wanted_by FROM market.subscription
        WHERE $1::text IS NULL OR venue = $1
        ORDER BY venue, symbol, wanted_by
        """

    private let venue: Venue?

    /// - Parameter venue: `nil` for all venues.
    public init(venue: Venue? = nil) { self.venue = venue }

    /// Appends the venue.
    public func bind(_ parameters: inout Parameters) { parameters.append(venue?.rawValue) }

    /// Reads a subscription.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> Subscription {
        Subscription(
            instrument: try row.instrumentID(), channels: try row.textArray(), wantedBy: try row.text())
    }
}

/// Adds the channels of a subscription to what the same one wants already.
///
/// `execute` returns 1, or 0 when everything was wanted before. Notifies at commit.
public struct AddSubscription: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = """
        INSERT INTO market.subscription AS old (venue, symbol, wanted_by, channels, added_at)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (venue, symbol, wanted_by) DO UPDATE SET channels = (
            SELECT array_agg(DISTINCT channel ORDER BY channel)
            FROM unnest(old.channels || excluded.channels) AS wanted (channel))
        WHERE NOT old.channels @> excluded.channels
        """

    private let subscription: Subscription
    private let time: Timestamp

    /// Takes a wish and when it was made; the time is kept for a new row only.
    public init(_ subscription: Subscription, at time: Timestamp) {
        self.subscription = subscription
        self.time = time
    }

    /// Appends one parameter per column.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(subscription.instrument)
        parameters.append(subscription.wantedBy)
        parameters.append(subscription.channels)
        parameters.append(timestamp: time.nanoseconds)
    }
}

/// Ends what one wants of an instrument; others' wishes stay.
///
/// `execute` returns 1, or 0 when there was nothing. Notifies at commit.
public struct RemoveSubscription: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql =
        "DELETE FROM market.subscription WHERE venue = $1 AND symbol = $2 AND wanted_by = $3"

    private let id: InstrumentID
    private let wantedBy: String

    /// Names the instrument and who wanted it.
    public init(_ id: InstrumentID, wantedBy: String) {
        self.id = id
        self.wantedBy = wantedBy
    }

    /// Appends both.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(wantedBy)
    }
}

/// Ends all that some want of any instrument.
///
/// `execute` returns how many there were. Notifies at commit.
public struct RemoveWishes: Statement {
    /// No rows.
    public typealias Row = Void

    /// The statement's text.
    public static let sql = "DELETE FROM market.subscription WHERE wanted_by = ANY ($1)"

    private let names: [String]

    /// Names who wanted something.
    public init(of names: [String]) { self.names = names }

    /// Appends the names.
    public func bind(_ parameters: inout Parameters) { parameters.append(names) }
}
