package import Instruments
package import MarketData

/// KuCoin's public WebSocket of spot, as a state machine.
///
/// Procedure of a book:
/// 1. Ask `POST /api/v1/bullet-public` for a token and an address, and connect there.
/// 2. Subscribe to `/market/level2:<symbol>` and keep its updates; get an image from REST.
/// 3. An image that does not reach the first kept update is fetched again. Updates whose `sequenceEnd` is not
///    above the image's `sequence` are dropped; of the one that straddles it only the changes with a higher
///    number are applied, which the image has not.
/// 4. From then on `sequenceStart` is the last `sequenceEnd` + 1; anything above is a gap, and the book
///    starts again.
/// 5. A price of 0 is a number without a change; a size of 0 removes the level.
///
/// The whole book by REST needs a key, so the image is that of 100 levels a side. What lies behind its worst
/// prices is not known and is left out; when the price comes near to them, a new image is fetched.
///
/// Candles are not followed: the venue says neither when one is over nor how many trades it has, so ours,
/// made from the trades, are the better ones.
///
/// Source: KuCoin API documentation, "WebSocket, Introduction" and "Orderbook - Increment", the latter as its
/// Java SDK repeats it: the number of each change only tells when its price was last changed.
package struct KuCoinSession: VenueSession {
    /// Between two pings, whether the venue speaks or not: it closes a connection that says nothing.
    ///
    /// Nanoseconds.
    static let pingEvery: Int64 = 15_000_000_000

    var core: SessionCore
    var depths: [KuCoinDepth] = []
    /// The number of the last message that we sent.
    var messageID = 0
    /// What was asked for and not answered yet, newest last.
    var asked: [KuCoinRequest] = []
    /// Subscriptions that were refused for now, and when they are asked for again.
    var retries: [(topic: String, symbols: [String], due: Timestamp)] = []
    /// Symbols that are or will be subscribed to, by topic.
    var subscribed: [String: [String]] = [:]
    /// Books whose newest subscription the venue has confirmed.
    var confirmedBooks: Set<InstrumentIndex> = []
    var refusals = 0
    private var pingedAt = Timestamp.zero
    /// When a token is asked for again that did not come.
    private var tokenDue: Timestamp?

    /// A session that follows what the configuration names.
    package init(_ configuration: VenueConfiguration) {
        core = SessionCore(configuration)
        depths = core.trackers.map { _ in KuCoinDepth() }
    }

    package var registry: InstrumentRegistry { core.registry }

    package func book(of instrument: InstrumentIndex) -> Book? { core.trackers[instrument.offset].book }

    package func state(of instrument: InstrumentIndex) -> BookState { core.trackers[instrument.offset].state }

    // MARK: - Connection

    package mutating func start(at time: Timestamp, into output: inout VenueOutput) {
        core.begin(at: time, into: &output)
        output.actions.append(
            .request(
                VenueRequest(purpose: .instruments, url: core.configuration.restURL + "/api/v2/symbols")))
        askForToken(into: &output)
    }

    func askForToken(into output: inout VenueOutput) {
        output.actions.append(
            .request(
                VenueRequest(
                    purpose: .connection, url: core.configuration.restURL + "/api/v1/bullet-public",
                    body: "")))
    }

    /// Opens the connection with a token, or tells where to open it the next time.
    ///
    /// - Parameters:
    ///   - token: The right to connect.
    ///   - endpoint: The venue's address, which a configured one replaces.
    ///   - output: Gets what is to be done.
    mutating func connect(with token: String, at endpoint: String, into output: inout VenueOutput) {
        let configured = core.configuration.webSocketURL
        let isPublic = configured == core.configuration.description.webSocketURL
        tokenDue = nil
        output.actions.append(
            .open(connection: 0, url: "\(isPublic ? endpoint : configured)?token=\(token)&connectId=1"))
    }

    /// No token came: it is asked for again in half a minute.
    mutating func missToken(at time: Timestamp) {
        tokenDue = time.adding(nanoseconds: 30_000_000_000)
    }

    package mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.connected(at: time)
        pingedAt = time
        asked = []
        retries = []
        subscribed = [:]
        confirmedBooks = []
        arrange(into: &output)
        for index in core.registry.indices where core.wants(.book, index) {
            expectImage(index)
            core.trackers[index.offset].declare(.syncing, .snapshotPending, at: time, into: &output)
        }
    }

    package mutating func closed(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        confirmedBooks = []
        core.disconnected(at: time, into: &output)
        // A token is good for a day, and so is a connection.
        askForToken(into: &output)
    }

    package mutating func follow(
        _ subscriptions: [(symbol: String, channels: Set<VenueChannel>)], at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let changes = core.follow(subscriptions, at: time, into: &output)
        growDepths()
        for change in changes {
            if change.lost.contains(.book) { depths[change.index.offset] = KuCoinDepth() }
            if change.gained.contains(.book) { expectImage(change.index) }
        }
        if core.isConnected { arrange(into: &output) }
    }

    package mutating func tick(at time: Timestamp, into output: inout VenueOutput) {
        switch core.watch(at: time) {
        case .nothing:
            if core.isConnected, time.nanoseconds(since: pingedAt) > Self.pingEvery {
                ping(at: time, into: &output)
            }
        case .ping: ping(at: time, into: &output)
        case .reconnect: output.actions.append(.reconnect(connection: 0, reason: "no answer to ping"))
        }
        if let due = tokenDue, due <= time {
            tokenDue = nil
            askForToken(into: &output)
        }
        guard core.isConnected else { return }
        askAgain(at: time, into: &output)
        askForImages(at: time, into: &output)
    }

    private mutating func ping(at time: Timestamp, into output: inout VenueOutput) {
        pingedAt = time
        messageID += 1
        output.actions.append(.send(connection: 0, text: "{\"id\":\"\(messageID)\",\"type\":\"ping\"}"))
    }

    mutating func growDepths() {
        while depths.count < core.trackers.count { depths.append(KuCoinDepth()) }
    }
}
