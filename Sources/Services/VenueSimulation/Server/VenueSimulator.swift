import Glibc
package import Instruments
package import Logging
package import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
package import Operations
import ServiceLifecycle
package import Venues

/// Serves recordings, or the synthetic market, as the venues' own WebSocket and REST protocols on one port.
///
/// Every venue has its prefix: `ws://127.0.0.1:7430/bitmex/realtime`,
/// `http://127.0.0.1:7430/bitmex/api/v1/…`. What is said when, each venue's ``Playback`` decides; this actor
/// owns the connections and lives on their event loop.
///
/// Bounds: 1,024 connections. At recorded speeds a client that lets more than 16 MiB wait is disconnected; at
/// maximum speed the slowest client paces its venue, and at most 1 MiB waits for each.
package actor VenueSimulator: Service {
    static let connectionLimit = 1_024

    /// What is served, a venue each.
    package nonisolated let surveys: [VenueSurvey]
    private let configuration: VenueSimulatorConfiguration
    private let health: HealthComponent?
    let logger: Logger
    nonisolated let loop: any EventLoop
    private nonisolated let listening: EventLoopPromise<NetworkAddress>
    var stages: [SimulatedVenue]
    private var connections: [ObjectIdentifier: any Channel] = [:]
    private(set) var isClosing = false
    private var nextID = 1
    private var replies: [Int: (venue: Int, reply: @Sendable (RESTAnswer) -> Void)] = [:]

    /// The event loop that serves the connections: everything here runs on it.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// Reads every recording once, from the first line to the last; nothing is bound yet.
    ///
    /// - Parameters:
    ///   - configuration: What to serve and where.
    ///   - eventLoopGroup: Where the connections live; one of its loops is used.
    ///   - started: The synthetic market's time at its beginning; `nil` is now.
    ///   - health: Ready as soon as it listens.
    ///   - logger: Carries the service's name.
    /// - Throws: `RecordingError`, which names the file and the line, or ``SimulationError``.
    package init(
        configuration: VenueSimulatorConfiguration, eventLoopGroup: any EventLoopGroup,
        started: Timestamp? = nil,
        health: HealthComponent? = nil, logger: Logger
    ) throws {
        self.configuration = configuration
        self.health = health
        self.logger = logger
        let program = try SimulatorSource(configuration, started: started ?? VenueSimulator.wallClock())
        surveys = program.surveys
        stages = program.playbacks().enumerated().map { place, playback in
            let faults = VenueFaults(configuration, place: place, topics: playback.topics)
            return SimulatedVenue(venue: playback.dialect.venue, playback: playback, faults: faults)
        }
        loop = eventLoopGroup.next()
        listening = loop.makePromise()
    }

    deinit {
        // Whoever still waits for the address is told; after run() this does nothing.
        listening.fail(CancellationError())
    }

    /// Listens and serves until graceful shutdown or cancellation, then closes every connection.
    ///
    /// - Throws: `ConfigurationError` when it cannot listen.
    package func run() async throws {
        let listener: any Channel
        do throws(ConfigurationError) {
            listener = try await SimulatorListener.bind(configuration.address, simulator: self, on: loop)
        } catch {
            listening.fail(error)
            throw error
        }
        let address = NetworkAddress(
            host: configuration.address.host, port: listener.localAddress?.port ?? configuration.address.port)
        logger.notice(
            "Serving venues",
            metadata: [
                "address": "\(address)", "venues": "\(surveys.map(\.venue.rawValue).joined(separator: " "))",
            ])
        listening.succeed(address)
        health?.setReady(true)
        await withTaskCancellationOrGracefulShutdownHandler {
            // Ends when somebody closes it, with whatever outcome.
            _ = try? await listener.closeFuture.get()
        } onCancelOrGracefulShutdown: {
            listener.close(promise: nil)
        }
        health?.setReady(false, "stopping")
        reportFaults()
        closeAll()
    }

    /// Where it listens, as soon as it does.
    ///
    /// - Throws: The error that ``run()`` ends with when it cannot listen.
    package nonisolated func bound() async throws -> (host: String, port: Int) {
        let address = try await listening.futureResult.get()
        return (address.host, address.port)
    }

    /// Configurations of sessions that follow everything that is served here, a venue each.
    ///
    /// - Throws: As ``bound()``.
    package nonisolated func venueConfigurations() async throws -> [VenueConfiguration] {
        let (host, port) = try await bound()
        let isWildcard = host == "0.0.0.0" || host == "::"
        return surveys.map { $0.venueConfiguration(host: isWildcard ? "127.0.0.1" : host, port: port) }
    }

    private static func wallClock() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    // MARK: - Connections

    /// Takes a connection, or refuses it because there are too many or all are being closed.
    func admit(_ channel: any Channel) -> Bool {
        guard !isClosing, connections.count < Self.connectionLimit else { return false }
        let key = ObjectIdentifier(channel)
        connections[key] = channel
        channel.closeFuture.whenComplete { [weak self] _ in self?.assumeIsolated { $0.connections[key] = nil }
        }
        return true
    }

    private func closeAll() {
        isClosing = true
        for venue in stages.indices {
            stages[venue].wake?.cancel()
            stages[venue].faults?.wake?.cancel()
            for channel in stages[venue].channels.values { SimulatorListener.close(channel, .goingAway) }
        }
        for channel in connections.values { channel.close(promise: nil) }
    }

    // MARK: - WebSocket

    /// The venue that has a WebSocket at this address.
    func venue(ofSocket uri: String) -> Int? {
        guard let (prefix, address) = RequestAddress(uri).prefixed else { return nil }
        return stages.indices.first { index in
            stages[index].venue.rawValue == prefix && stages[index].playback.dialect.opening(address) != nil
        }
    }

    /// A WebSocket is open; returns the client's number, `nil` where the venue has no such address.
    func join(_ channel: any Channel, venue: Int, uri: String) -> Int? {
        guard let (_, address) = RequestAddress(uri).prefixed else { return nil }
        let client = nextID
        nextID += 1
        stages[venue].channels[client] = channel
        let transform = stages[venue].playback.dialect.transform
        stages[venue].faults?.join(client, transform: transform)
        stages[venue].reportClients()
        var actions: [PlaybackAction] = []
        let isKnown = stages[venue].playback.join(client, at: address, now: now, into: &actions)
        perform(actions, venue)
        advance(venue)
        return isKnown ? client : nil
    }

    func receive(_ text: [UInt8], from client: Int, venue: Int) {
        guard hears(client, venue: venue) else { return }
        var actions: [PlaybackAction] = []
        stages[venue].playback.receive(text, from: client, now: now, into: &actions)
        perform(actions, venue)
        advance(venue)
    }

    func leave(_ client: Int, venue: Int) {
        guard stages[venue].channels.removeValue(forKey: client) != nil else { return }
        stages[venue].faults?.leave(client)
        stages[venue].playback.leave(client)
        stages[venue].reportClients()
        advance(venue)
    }

    /// A connection takes more again.
    func resume(_ venue: Int) { advance(venue) }

    // MARK: - REST

    /// Answers a request, now or when the playback has come to what it asks for; returns its number.
    func ask(
        _ uri: String, posted: [UInt8]? = nil, reply: @escaping @Sendable (RESTAnswer) -> Void
    ) -> Int {
        let id = nextID
        nextID += 1
        if let (prefix, address) = RequestAddress(uri).prefixed, prefix == "coingecko" {
            reply(CoinList(symbols: surveys.flatMap { $0.symbols.map(\.symbol) }).answer(address))
            return id
        }
        if let (prefix, address) = RequestAddress(uri).prefixed, prefix == "ecb" {
            reply(RateList(now: VenueSimulator.wallClock()).answer(address))
            return id
        }
        guard let (venue, known) = venue(ofRequest: uri) else {
            reply(RESTAnswer(status: 404, #"{"error":"no such venue: \#(served)"}"#))
            return id
        }
        guard posted == nil || stages[venue].playback.dialect.takesPosts else {
            reply(RESTAnswer(status: 405, #"{"error":"only GET"}"#))
            return id
        }
        var address = known
        address.posted = posted
        stages[venue].reportRequest()
        if let refusal = refusal(of: uri, venue: venue) {
            reply(refusal)
            return id
        }
        replies[id] = (venue, delayed(reply, of: address, venue: venue))
        var actions: [PlaybackAction] = []
        stages[venue].playback.ask(id, address, into: &actions)
        perform(actions, venue)
        advance(venue)
        return id
    }

    /// Whoever asked is gone.
    func withdraw(_ id: Int) {
        guard let (venue, _) = replies.removeValue(forKey: id) else { return }
        stages[venue].playback.withdraw(id)
    }

    private var served: String { surveys.map { "/\($0.venue.rawValue)/" }.joined(separator: " ") }

    /// Kraken may be served twice, by both of its interfaces: the one that can answer does.
    private func venue(ofRequest uri: String) -> (Int, RequestAddress)? {
        guard let (prefix, address) = RequestAddress(uri).prefixed else { return nil }
        let candidates = stages.indices.filter { stages[$0].venue.rawValue == prefix }
        let answering = candidates.first { stages[$0].playback.canAnswer(address) } ?? candidates.first
        return answering.map { ($0, address) }
    }

    // MARK: - Playing

    /// Messages that are played before requests have their turn: where a market is behind, as on a busy
    /// machine, it always has more to play, and whoever asks must not wait for long.
    private static let turn = 32

    /// Whether the clients' reading decides how fast it goes.
    var isPacedByReaders: Bool { configuration.speed == .maximum }

    var now: Timestamp {
        Timestamp(nanoseconds: Int64(clamping: NIODeadline.now().uptimeNanoseconds))
    }

    /// Plays what is due and comes back when there is more.
    private func advance(_ venue: Int) {
        guard !isClosing, !stages[venue].isQueued else { return }
        stages[venue].wake?.cancel()
        stages[venue].wake = nil
        if isPacedByReaders, stages[venue].isBlocked { return }
        var actions: [PlaybackAction] = []
        let pace = stages[venue].playback.advance(at: now, limit: Self.turn, into: &actions)
        perform(actions, venue)
        reportEnd(venue)
        switch pace {
        case .again:
            stages[venue].isQueued = true
            loop.execute { [weak self] in self?.assumeIsolated { $0.takeTurn(venue) } }
        case .wait(let until?):
            let deadline = NIODeadline.uptimeNanoseconds(UInt64(clamping: until.nanoseconds))
            stages[venue].wake = loop.scheduleTask(deadline: deadline) { [weak self] in
                self?.assumeIsolated { $0.advance(venue) }
            }
        case .wait(until: nil): break
        }
    }

    private func takeTurn(_ venue: Int) {
        stages[venue].isQueued = false
        advance(venue)
    }

    private func perform(_ actions: [PlaybackAction], _ venue: Int) {
        var touched: Set<Int> = []
        for action in actions {
            switch action {
            case .send(let clients, let text) where stages[venue].faults != nil:
                let (dialect, now) = (stages[venue].playback.dialect, now)
                stages[venue].faults?.take(text, for: clients, dialect: dialect, at: now)
            case .send(let clients, let text):
                let frame = SimulatorListener.frame(text, stages[venue].playback.dialect.transform)
                for client in clients {
                    guard let channel = stages[venue].channels[client] else { continue }
                    channel.write(frame, promise: nil)
                    touched.insert(client)
                }
            case .close(let client):
                guard let channel = stages[venue].channels.removeValue(forKey: client) else { continue }
                SimulatorListener.close(channel, .goingAway)
                stages[venue].reportClients()
            case .answer(let id, let answer):
                replies.removeValue(forKey: id)?.reply(answer)
            }
        }
        for client in touched { flush(client, venue) }
        deliver(venue)
        stages[venue].reportSent()
    }

    /// Sends what was written.
    ///
    /// At recorded speeds a client that does not read is let go, so that it cannot grow memory.
    func flush(_ client: Int, _ venue: Int) {
        guard let channel = stages[venue].channels[client] else { return }
        channel.flush()
        guard !isPacedByReaders, !channel.isWritable else { return }
        stages[venue].reportDropped()
        logger.warning("Client does not read, disconnected", metadata: ["venue": "\(stages[venue].venue)"])
        channel.close(promise: nil)
        leave(client, venue: venue)
    }

    private func reportEnd(_ venue: Int) {
        guard stages[venue].playback.hasEnded, !stages[venue].hasReportedEnd else { return }
        stages[venue].hasReportedEnd = true
        let metadata: Logger.Metadata = [
            "venue": "\(stages[venue].venue)", "messages": "\(stages[venue].playback.counters.played)",
        ]
        if let fault = stages[venue].playback.fault {
            logger.error(
                "Recording cannot be read on", metadata: metadata.merging(["error": "\(fault)"]) { $1 })
        } else {
            logger.notice("Recording played to its end", metadata: metadata)
        }
    }
}
