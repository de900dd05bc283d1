package import Instruments
package import MarketData

/// Gemini's "Market Data v2" as a state machine.
///
/// Procedure of a book:
/// 1. Subscribe to `l2`; the first `l2_updates` of a symbol has its whole book and its last trades, under
///    `trades`, which no other message has.
/// 2. Apply each further one: quantities are absolute, 0 removes.
/// 3. Neither sequence nor checksum: a contradiction costs the book, and an audit against
///    `GET /v1/book/<symbol>` finds the rest.
/// 4. A lost book is unsubscribed and subscribed again.
///
/// Books and trades come by one subscription. A book belongs to the connection that its image came on.
///
/// Source: Gemini, developer documentation, "Market data, Version 2", "About" and "Level 2 Data".
package struct GeminiSession: VenueSession {
    var core: SessionCore
    /// The connection of each book; -1 before its first image.
    var homes: [Int] = []
    var retry = SubscriptionRetry()
    var images = OwedImages()

    /// A session that follows what the configuration names.
    package init(_ configuration: VenueConfiguration) {
        core = SessionCore(configuration)
        homes = core.trackers.map { _ in -1 }
    }

    package var registry: InstrumentRegistry { core.registry }

    package func book(of instrument: InstrumentIndex) -> Book? { core.trackers[instrument.offset].book }

    package func state(of instrument: InstrumentIndex) -> BookState { core.trackers[instrument.offset].state }

    // MARK: - Connection

    /// What is subscribed to by which channels.
    private static let feeds: [(name: String, channels: ChannelSet)] = [
        ("l2", [.book, .trade]), ("candles_1m", .candle),
    ]

    package mutating func start(at time: Timestamp, into output: inout VenueOutput) {
        core.begin(at: time, into: &output)
        let list = core.configuration.restURL + "/v1" + core.configuration.description.instrumentList
        output.actions.append(.request(VenueRequest(purpose: .instruments, url: list)))
        output.actions.append(.open(connection: 0, url: core.configuration.webSocketURL + "/v2/marketdata"))
    }

    package mutating func opened(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.connected(at: time)
        retry.forget()
        images.removeAll()
        subscribeAll(into: &output)
        for index in core.registry.indices where core.wants(.book, index) {
            core.trackers[index.offset].phase = .waiting(since: time)
            core.trackers[index.offset].attempts = 1
            core.trackers[index.offset].declare(.syncing, .snapshotPending, at: time, into: &output)
        }
    }

    private mutating func subscribeAll(into output: inout VenueOutput) {
        for (name, channels) in Self.feeds {
            let wanted = core.registry.indices.filter { wants(channels, core.channels[$0.offset]) }
            ask("subscribe", name, wanted, into: &output)
        }
    }

    func wants(_ feed: ChannelSet, _ channels: ChannelSet) -> Bool {
        !feed.intersection(channels).isEmpty
    }

    private mutating func ask(
        _ operation: String, _ feed: String, _ instruments: [InstrumentIndex], into output: inout VenueOutput
    ) {
        let limit = core.configuration.description.topicsPerMessage
        for start in stride(from: 0, to: instruments.count, by: limit) {
            let part = instruments[start..<min(start + limit, instruments.count)]
            // Where only trades are followed nobody looks at the image.
            if operation == "subscribe", feed == "l2" {
                for index in part where core.wants(.book, index) { images.ask(index) }
            }
            let list = part.map { "\"\(core.registry[$0].symbol)\"" }.joined(separator: ",")
            let text =
                "{\"type\":\"\(operation)\",\"subscriptions\":[{\"name\":\"\(feed)\",\"symbols\":[\(list)]}]}"
            output.actions.append(.send(connection: 0, text: text))
        }
    }

    package mutating func follow(
        _ subscriptions: [(symbol: String, channels: Set<VenueChannel>)], at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let changes = core.follow(subscriptions, at: time, into: &output)
        grow()
        guard core.isConnected else { return }
        for (name, channels) in Self.feeds {
            let now = changes.map { core.channels[$0.index.offset] }
            // What was there before is what is now without what was gained, and with what was lost.
            let then = zip(changes, now).map { $1.subtracting($0.gained).union($0.lost) }
            let lost = changes.indices.filter { wants(channels, then[$0]) && !wants(channels, now[$0]) }
            ask("unsubscribe", name, lost.map { changes[$0].index }, into: &output)
            // A book that is new needs its image, also where its trades were followed before.
            let gained = changes.indices.filter { place in
                wants(channels, now[place]) && !wants(channels, then[place])
                    || channels.contains(.book) && changes[place].gained.contains(.book)
            }
            ask("subscribe", name, gained.map { changes[$0].index }, into: &output)
        }
    }

    mutating func grow() {
        while homes.count < core.trackers.count { homes.append(-1) }
    }

    package mutating func closed(connection: Int, at time: Timestamp, into output: inout VenueOutput) {
        core.disconnected(at: time, into: &output)
    }

    package mutating func tick(at time: Timestamp, into output: inout VenueOutput) {
        switch core.watch(at: time) {
        case .nothing: break
        case .ping: output.actions.append(.ping(connection: 0))
        case .reconnect: output.actions.append(.reconnect(connection: 0, reason: "no answer to ping"))
        }
        guard core.isConnected else { return }
        // A refusal does not say of what. Books are asked for by themselves.
        if retry.takeDue(at: time) {
            let wanted = core.registry.indices.filter { core.wants(.candle, $0) }
            ask("subscribe", "candles_1m", wanted, into: &output)
            let tapes = core.registry.indices.filter { core.wants(.trade, $0) && !core.wants(.book, $0) }
            ask("subscribe", "l2", tapes, into: &output)
        }
        askForImages(at: time, into: &output)
    }

    package mutating func resync(
        _ instrument: InstrumentIndex, reason: BookStateReason, detail: String, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        core.lose(instrument, reason, detail, at: time, into: &output)
        askForImages(at: time, into: &output)
    }

    mutating func askForImages(at time: Timestamp, into output: inout VenueOutput) {
        while let index = core.takeDue(at: time) {
            ask("unsubscribe", "l2", [index], into: &output)
            ask("subscribe", "l2", [index], into: &output)
        }
    }
}
