import Instruments

/// One session of a ``RotatingSession`` with its connections.
struct RotationLine: Sendable {
    var session: any VenueSession
    /// Counts the sessions; no two have the same.
    let number: Int
    /// Connections that it has asked for, by the numbers that only it has.
    private(set) var asked: Set<Int> = []
    /// Those that are open.
    private(set) var open: Set<Int> = []
    /// When the newest of them was opened.
    private(set) var openedAt = Timestamp.zero
    /// When each of them is to be replaced.
    private var ends: [Int: Timestamp] = [:]
    /// The venue's time of the last change of each book, by index.
    private var bookTimes: [InstrumentIndex: Timestamp] = [:]

    init(_ session: any VenueSession, number: Int) {
        self.session = session
        self.number = number
    }

    /// What is added to the session's own numbers of its connections.
    var base: Int { number * RotatingSession.connectionsOfSession }

    /// Whether it has every connection that it wants.
    var isConnected: Bool { !open.isEmpty && asked.isSubset(of: open) }

    /// When the first of its connections is to be replaced; `nil` for never.
    var end: Timestamp? { ends.values.min() }

    mutating func opened(_ connection: Int, endingAt end: Timestamp?, at time: Timestamp) {
        asked.insert(connection)
        open.insert(connection)
        openedAt = time
        ends[connection] = end
    }

    mutating func closed(_ connection: Int) {
        open.remove(connection)
        ends[connection] = nil
    }

    /// An action of the session with the numbers that only it has.
    mutating func own(_ action: VenueAction) -> VenueAction {
        switch action {
        case .open(let connection, let url):
            asked.insert(base + connection)
            return .open(connection: base + connection, url: url)
        case .send(let connection, let text): return .send(connection: base + connection, text: text)
        case .ping(let connection): return .ping(connection: base + connection)
        case .request(var request):
            request.session = number
            return .request(request)
        case .reconnect(let connection, let reason):
            return .reconnect(connection: base + connection, reason: reason)
        }
    }

    /// A book was said; venues that give no times have none.
    mutating func note(_ event: BookEvent) {
        if let time = event.venueTime { bookTimes[event.instrument] = time }
    }

    func bookTime(_ index: InstrumentIndex) -> Timestamp? { bookTimes[index] }
}
