package import Instruments
package import MarketStore
package import Shapes
package import Wire

/// The feed of a venue.
package struct FeedBody: WireBody, Sendable, Hashable {
    package static let shape = BodyShape<FeedBody>("Feed") {
        Field("books_live", \.booksLive, example: 4)
        Field("books_total", \.booksTotal, example: 4)
        Field(
            ifPresent: "connected_since", \.connectedSince, as: .time, example: "2026-11-21T00:00:00Z")
        Field("detail", \.detail, "What its feed says of it, or nothing.", example: "")
        Field(
            ifPresent: "last_received", \.lastReceived, "When the venue said something last.", as: .time,
            example: "2026-11-21T12:00:00Z")
        Field("malformed_messages", \.malformedMessages)
        Field("messages_received", \.messagesReceived, example: 123_456)
        Field(
            "received_time", \.receivedTime, "When it was heard of last, by this gateway's clock.", as: .time,
            example: "2026-11-21T12:00:00Z")
        Field("reconnects", \.reconnects, example: 1)
        Field("resyncs", \.resyncs)
        Field("silent", \.silent, "Whether nothing was heard of it for ten seconds.", example: false)
        Field("state", \.state, as: .words(Bitpal_V1_FeedState.words), example: "live")
        Field("trades_stored", \.tradesStored, example: 5_555)
        Field("trades_waiting", \.tradesWaiting, "Trades that are not stored yet.")
        Field("venue", \.venue, example: .venue)
    }

    package var venue: String
    package var state: String
    package var detail: String
    /// When it was heard, by this gateway's clock.
    var receivedTime: String
    /// Nothing was heard of it for ten seconds, or its producer is silent.
    package var silent: Bool
    var messagesReceived: UInt64
    var malformedMessages: UInt64
    var resyncs: UInt64
    var reconnects: UInt64
    var booksLive: UInt64
    var booksTotal: UInt64
    var tradesStored: UInt64
    var tradesWaiting: UInt64
    var connectedSince: String?
    var lastReceived: String?

    /// Longer than this without a word and a feed or service counts as silent: 10 s, in nanoseconds.
    static let silence: Int64 = 10_000_000_000

    package init(
        _ said: ReceivedValue<Bitpal_V1_FeedStatus>, _ condition: BusConnectionState, at now: Timestamp
    ) {
        func time(_ nanos: Int64) -> String? {
            nanos == 0 ? nil : Timestamp(nanoseconds: nanos).iso8601
        }
        let status = said.value
        venue = status.venue
        silent = said.age(at: now) > Self.silence || condition.isDoubted(said)
        // What it was when it was last heard of is not what it is.
        state = (silent && status.state == .live ? .silent : status.state).word
        detail = status.detail
        receivedTime = said.time.iso8601
        (messagesReceived, malformedMessages) = (status.messagesReceived, status.malformedMessages)
        (resyncs, reconnects) = (status.resyncs, status.reconnects)
        (booksLive, booksTotal) = (status.booksLive, status.booksTotal)
        (tradesStored, tradesWaiting) = (status.tradesStored, status.tradesWaiting)
        connectedSince = time(status.connectedSinceUnixNanos)
        lastReceived = time(status.lastReceivedUnixNanos)
    }
}

/// A service, for operators.
package struct ServiceBody: WireBody, Sendable, Hashable {
    package static let shape = BodyShape<ServiceBody>("Service") {
        Field("detail", \.detail, "What it says of itself, or nothing.", example: "")
        Field("figures", \.figures, "What it counts, by name.", example: ["stored": 5_555])
        Field("instance", \.instance, example: "1")
        Field("ready", \.ready, example: true)
        Field(
            "received_time", \.receivedTime, "When it was heard of last, by this gateway's clock.", as: .time,
            example: "2026-11-21T12:00:00Z")
        Field("service", \.service, example: "feed-ingestor")
        Field("silent", \.silent, "Whether nothing was heard of it for ten seconds.", example: false)
        Field(ifPresent: "started", \.started, as: .time, example: "2026-11-21T00:00:00Z")
        Field(
            "version", \.version,
            "Its release, and the commit that it was built of; empty where it is not said.",
            example: "0.9.0 (be77a80, 2026-11-26)")
    }

    package var service: String
    package var instance: String
    var version: String
    /// `nil` where it is not said.
    var started: String?
    var receivedTime: String
    package var ready: Bool
    package var silent: Bool
    package var detail: String
    var figures: [String: Int64]

    package init(
        _ said: ReceivedValue<Bitpal_V1_ServiceStatus>, _ condition: BusConnectionState, at now: Timestamp
    ) {
        let status = said.value
        (service, instance, version) = (status.service, status.instance, status.version)
        started = Timestamp(nanoseconds: status.startedUnixNanos).iso8601
        receivedTime = said.time.iso8601
        ready = status.isReady
        silent = said.age(at: now) > FeedBody.silence || condition.isDoubted(said)
        (detail, figures) = (status.detail, status.figures)
    }

    /// An instance that gives its sign of life in the database, since it is not on the bus.
    package init(_ member: Member, of service: String, at now: Timestamp) {
        (self.service, instance, version, started) = (service, member.instance, "", nil)
        (receivedTime, ready, silent) = (now.iso8601, true, false)
        (detail, figures) = ("", [:])
    }
}

extension Bitpal_V1_FeedState {
    /// Each that ``word`` may be.
    fileprivate static let words = [.connecting, .live, .disconnected, .silent, .unspecified].map(\Self.word)

    /// The state in lower case.
    var word: String {
        switch self {
        case .connecting: "connecting"
        case .live: "live"
        case .disconnected: "disconnected"
        case .silent: "silent"
        case .unspecified, .UNRECOGNIZED: "unknown"
        }
    }
}
