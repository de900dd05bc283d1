public import Instruments
public import MarketData

/// One venue's public protocol as a state machine without I/O: bytes and times in, events and actions out.
///
/// It decides which of the venue's books are proven. It owns the books, the subscription state and the
/// recovery of each instrument; it owns no socket, clock, thread or log. Everything that it says is appended
/// to a ``VenueOutput``, which the caller empties. A fault of one instrument resyncs that one and says so
/// before anything that could be read as a wrong book. Whoever runs it serialises the calls.
public protocol VenueSession: Sendable {
    /// The instruments that it knows, by dense index.
    var registry: InstrumentRegistry { get }

    /// Asks for the connections and first requests, and declares every book `syncing`.
    mutating func start(at time: Timestamp, into output: inout VenueOutput)

    /// A recorded connection was opened to this address: what comes on it is of that address's kind.
    mutating func recorded(connection: Int, url: String)

    /// A connection of ``VenueAction/open(connection:url:)`` is up: subscribes.
    mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput)

    /// Follows these symbols and channels instead of the present ones, on the connections that are open: what
    /// is new is subscribed, what is not named any more is unsubscribed, everything else goes on undisturbed.
    mutating func follow(
        _ subscriptions: [(symbol: String, channels: Set<VenueChannel>)], at time: Timestamp,
        into output: inout VenueOutput)

    /// One whole message of the venue.
    ///
    /// Bytes that make no sense are counted in the output, never trapped on.
    mutating func receive(
        _ frame: UnsafeRawBufferPointer, connection: Int, at time: Timestamp, into output: inout VenueOutput)

    /// The answer to a ``VenueAction/request(_:)``, or a recorded one with the same URL. Status 0 means no
    /// answer.
    mutating func responded(
        to request: VenueRequest, status: Int, body: UnsafeRawBufferPointer, at time: Timestamp,
        into output: inout VenueOutput)

    /// A connection is gone: every book that depended on it is `stale` or `syncing` from here on.
    mutating func closed(connection: Int, at time: Timestamp, into output: inout VenueOutput)

    /// The request that a recorded URL was an answer to; `nil` for a URL that this session would never ask
    /// for.
    mutating func request(for url: String) -> VenueRequest?

    /// Lets time act: idle pings, delayed resyncs, silence.
    ///
    /// Called about every 100 ms.
    mutating func tick(at time: Timestamp, into output: inout VenueOutput)

    /// Throws one book away and fetches it again, as after a failed audit.
    mutating func resync(
        _ instrument: InstrumentIndex, reason: BookStateReason, detail: String, at time: Timestamp,
        into output: inout VenueOutput)

    /// The book of an instrument; `nil` when none is kept.
    func book(of instrument: InstrumentIndex) -> Book?

    /// What may be believed of that book.
    func state(of instrument: InstrumentIndex) -> BookState

    /// A request for the whole depth of one book by REST, for an audit; `nil` where the venue has none.
    func auditRequest(for instrument: InstrumentIndex) -> VenueRequest?

    /// Reads the answer to an audit request: the whole depth as levels of a book at the instrument's scales.
    func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book?

    /// A request for public trades after one that is stored; `nil` where the venue has no such route.
    func tradesRequest(for instrument: InstrumentIndex, after last: TradeMark?) -> VenueRequest?
}

extension VenueSession {
    /// Does nothing: most venues say the same on each of their connections.
    public mutating func recorded(connection: Int, url: String) {}
}

/// The newest trade of an instrument that is already kept.
public struct TradeMark: Hashable, Sendable {
    /// The id as in ``Trade/id``.
    public var id: String
    public var venueTime: Timestamp
    /// Whether the id numbers aggregated trades.
    public var isAggregate: Bool

    public init(id: String, venueTime: Timestamp, isAggregate: Bool = false) {
        self.id = id
        self.venueTime = venueTime
        self.isAggregate = isAggregate
    }
}

/// A REST request that a session asks for.
public struct VenueRequest: Hashable, Sendable {
    /// What the answer is for.
    public enum Purpose: Hashable, Sendable {
        /// The venue's list of what it trades.
        case instruments
        /// The image that a book starts from.
        case bookSnapshot(InstrumentIndex)
        /// The whole depth, to compare with.
        case audit(InstrumentIndex)
        /// Trades that were missed.
        case trades(InstrumentIndex)
        /// The open interest of a derivative, which some venues say to nobody who does not ask.
        case openInterest(InstrumentIndex)
        /// The right to connect, such as a token that the address carries.
        case connection
    }

    /// What the answer is for.
    public var purpose: Purpose
    /// The whole URL.
    public var url: String
    /// What is posted; `nil` where it is a GET.
    public var body: String?
    /// Which of a ``RotatingSession``'s sessions asks; a session itself leaves it as it is.
    public var session = 0

    public init(purpose: Purpose, url: String, body: String? = nil) {
        self.purpose = purpose
        self.url = url
        self.body = body
    }
}

/// Something that a session wants done; the caller does it or, in a replay, lets it be.
public enum VenueAction: Hashable, Sendable {
    /// Connect a WebSocket and say ``VenueSession/opened(connection:at:into:)``.
    ///
    /// Of a connection that there is already: where it is opened the next time.
    case open(connection: Int, url: String)
    /// Send a text message.
    case send(connection: Int, text: String)
    /// Send a WebSocket ping.
    case ping(connection: Int)
    /// Get a URL and say ``VenueSession/responded(to:status:body:at:into:)``.
    case request(VenueRequest)
    /// Close the connection and open it again after the backoff.
    case reconnect(connection: Int, reason: String)
}
