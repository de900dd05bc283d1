package import Instruments
package import MarketData

/// A session that is replaced by another one of the same venue before the venue ends its connections, without
/// anybody noticing.
///
/// It decides which session's word counts. Alone, the one that there is. When a connection nears its end, a
/// second session is opened beside it, on connections of its own, and follows the same; what it says is kept
/// or dropped until all of its books are live. Then both are listened to for some seconds: each book goes
/// over by the changes that make the new one of the old one, trades are told once, whoever says them first.
/// The old one's connections are closed when everything has gone over. When the new one fails, everything
/// goes back, and it is tried again later.
///
/// Instruments have the same indices in both, since the second follows all that the first ever knew, in its
/// order.
package struct RotatingSession: VenueSession {
    /// What ``takeNews()`` tells.
    package enum News: Hashable, Sendable {
        /// A second session was begun.
        case began
        /// It is the only one from here on.
        case tookOver
        /// So it is since the first one has ended on its own, maybe before it had said all.
        case tookOverEarly
        /// It was given up, for a reason.
        case failed(String)
    }

    enum Phase: Hashable, Sendable {
        case alone
        /// The second one gets its images.
        case preparing(since: Timestamp)
        /// Both are whole.
        case together(since: Timestamp)
    }

    /// More than any session asks for.
    static let connectionsOfSession = 64
    /// How long the second may take to be whole, nanoseconds: its images are asked for slowly.
    static let preparingLimit: Int64 = 1_200_000_000_000
    /// How far a connection may be behind another, nanoseconds: what happened before the second one was open
    /// the first one has said by then.
    static let lag: Int64 = 2_000_000_000
    /// How long both are listened to at least and at most, nanoseconds.
    static let together: (least: Int64, most: Int64) = (4_000_000_000, 30_000_000_000)
    /// How long a session that has become the only one is compared with what the other had said,
    /// nanoseconds.
    static let trail: Int64 = 120_000_000_000

    /// One, or two: the first counts.
    var lines: [RotationLine]
    var phase = Phase.alone
    var overlap: TapeOverlap?
    var told = ToldStates()
    /// Whose books are the second's.
    var moved: Set<InstrumentIndex> = []
    /// Whose books are wanted; kept while there are two.
    var wantedBooks: [InstrumentIndex] = []
    var schedule: RotationSchedule
    /// Until when the only one is compared with what the other had said.
    var trailEnd = Timestamp.zero
    var scratch = VenueOutput()
    /// Whether there is only one and nothing to compare it with.
    var isPlain = true
    var retired: [Int] = []
    var news: [News] = []
    private var configuration: VenueConfiguration
    private var nextNumber = 1

    /// A session that follows what the configuration names.
    ///
    /// - Parameters:
    ///   - configuration: For this one and those after it.
    ///   - generator: Decides when connections are replaced.
    package init(
        _ configuration: VenueConfiguration, _ generator: any RandomNumberGenerator & Sendable
    ) {
        self.init(configuration.makeSession(), configuration, generator)
    }

    /// The same with a session that was made before.
    package init(
        _ session: any VenueSession, _ configuration: VenueConfiguration,
        _ generator: any RandomNumberGenerator & Sendable
    ) {
        lines = [RotationLine(session, number: 0)]
        self.configuration = configuration
        schedule = RotationSchedule(
            lifetime: configuration.description.connections.lifetime, generator)
    }

    // MARK: - Rotation

    /// Whether there are two sessions now.
    package var isRotating: Bool { lines.count > 1 }

    /// Whether a second session should be begun.
    package func isDue(at time: Timestamp) -> Bool {
        guard isPlain, lines[0].isConnected, let end = lines[0].end else { return false }
        return end <= time && schedule.pausedUntil <= time
    }

    /// Begins a second session.
    package mutating func rotate(at time: Timestamp, into output: inout VenueOutput) {
        let wanted = Dictionary(
            configuration.subscriptions.map { ($0.symbol, $0.channels) }, uniquingKeysWith: { $0.union($1) })
        var next = configuration
        next.subscriptions = registry.ids.map { ($0.symbol, wanted[$0.symbol] ?? []) }
        next.seed ^= UInt64(nextNumber) << 32
        let line = RotationLine(next.makeSession(), number: nextNumber)
        nextNumber += 1
        guard line.session.registry.ids == registry.ids else {
            schedule.failed(at: time)
            return news.append(.failed("its instruments are others"))
        }
        lines.append(line)
        news.append(.began)
        phase = .preparing(since: time)
        isPlain = false
        overlap = TapeOverlap()
        told = ToldStates()
        moved = []
        noteWantedBooks()
        act(1, at: time, into: &output) { $0.start(at: time, into: &$1) }
    }

    /// Whether what comes on a connection counts, so that it is missed when it ends.
    package func counts(_ connection: Int) -> Bool { place(of: connection) == 0 }

    /// Whether a connection is one that was asked for and not given up.
    package func wants(_ connection: Int) -> Bool { place(of: connection) != nil }

    /// Connections that are wanted no more since the last call.
    package mutating func takeRetired() -> [Int] {
        guard !retired.isEmpty else { return [] }
        defer { retired = [] }
        return retired
    }

    /// What has become of rotations since the last call.
    package mutating func takeNews() -> [News] {
        guard !news.isEmpty else { return [] }
        defer { news = [] }
        return news
    }

    func place(of connection: Int) -> Int? {
        lines.firstIndex { $0.number == connection / Self.connectionsOfSession }
    }

    private mutating func noteWantedBooks() {
        wantedBooks = configuration.subscriptions.compactMap { symbol, channels in
            channels.contains(.book) ? registry.find(symbol) : nil
        }
    }

    // MARK: - Session

    package var registry: InstrumentRegistry { lines[0].session.registry }

    package func book(of instrument: InstrumentIndex) -> Book? { source(of: instrument).book(of: instrument) }

    package func state(of instrument: InstrumentIndex) -> BookState {
        source(of: instrument).state(of: instrument)
    }

    /// The session whose book counts.
    private func source(of instrument: InstrumentIndex) -> any VenueSession {
        lines[place(of: instrument)].session
    }

    func place(of instrument: InstrumentIndex) -> Int {
        lines.count > 1 && moved.contains(instrument) ? 1 : 0
    }

    package mutating func start(at time: Timestamp, into output: inout VenueOutput) {
        perform(0, at: time, into: &output) { $0.start(at: time, into: &$1) }
    }

    package mutating func recorded(connection: Int, url: String) {
        lines[0].session.recorded(connection: connection, url: url)
    }

    package mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        guard let place = place(of: connection) else { return }
        lines[place].opened(connection, endingAt: schedule.point(ofOpened: time), at: time)
        let own = connection - lines[place].base
        perform(place, at: time, into: &output) { $0.opened(connection: own, at: time, into: &$1) }
    }

    package mutating func follow(
        _ subscriptions: [(symbol: String, channels: Set<VenueChannel>)], at time: Timestamp,
        into output: inout VenueOutput
    ) {
        configuration.subscriptions = subscriptions
        for place in lines.indices {
            perform(place, at: time, into: &output) { $0.follow(subscriptions, at: time, into: &$1) }
        }
        if !isPlain { noteWantedBooks() }
    }

    package mutating func receive(
        _ frame: UnsafeRawBufferPointer, connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        guard isPlain else { return compare(frame, connection, at: time, into: &output) }
        let known = output.actions.count
        lines[0].session.receive(frame, connection: connection - lines[0].base, at: time, into: &output)
        if output.actions.count != known { own(from: known, in: &output) }
    }

    package mutating func responded(
        to request: VenueRequest, status: Int, body: UnsafeRawBufferPointer, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        var place = lines.firstIndex { $0.number == request.session }
        if place == nil {
            switch request.purpose {
            // Whoever asked for these is gone, and they are of no use to another one.
            case .bookSnapshot, .connection: return
            case .instruments, .audit, .trades, .openInterest: place = 0
            }
        }
        var plain = request
        plain.session = 0
        var isTape = false
        if case .trades = request.purpose { isTape = true }
        perform(place ?? 0, at: time, into: &output, asItIs: isTape) {
            $0.responded(to: plain, status: status, body: body, at: time, into: &$1)
        }
    }

    package mutating func closed(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        guard let place = place(of: connection) else { return }
        lines[place].closed(connection)
        switch (phase, place) {
        case (.together, 0): return takeOver(.tookOverEarly, at: time, into: &output)
        case (.together, _): return giveUp("its connection has ended", at: time, into: &output)
        case (.preparing, 0): giveUp("the old connection has ended before", at: time, into: &output)
        case (.preparing, _): overlap?.forgetHeld()
        case (.alone, _): break
        }
        let own = connection - lines[place].base
        perform(place, at: time, into: &output) { $0.closed(connection: own, at: time, into: &$1) }
    }

    package mutating func request(for url: String) -> VenueRequest? { lines[0].session.request(for: url) }

    package mutating func tick(at time: Timestamp, into output: inout VenueOutput) {
        for place in lines.indices {
            perform(place, at: time, into: &output) { $0.tick(at: time, into: &$1) }
        }
        if !isPlain { goOn(at: time, into: &output) }
    }

    package mutating func resync(
        _ instrument: InstrumentIndex, reason: BookStateReason, detail: String, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        perform(place(of: instrument), at: time, into: &output) {
            $0.resync(instrument, reason: reason, detail: detail, at: time, into: &$1)
        }
    }

    package func auditRequest(for instrument: InstrumentIndex) -> VenueRequest? {
        source(of: instrument).auditRequest(for: instrument)
    }

    package func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book? {
        source(of: instrument).auditBook(body, for: instrument)
    }

    package func tradesRequest(for instrument: InstrumentIndex, after last: TradeMark?) -> VenueRequest? {
        lines[0].session.tradesRequest(for: instrument, after: last)
    }
}
