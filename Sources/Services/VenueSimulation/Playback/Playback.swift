import Instruments
import MarketData
import Recordings
import Venues

/// One recording being played to any number of clients, as a state machine without I/O: what clients say and
/// times in, what to send and when to come back out.
///
/// 1. Its clock starts at the first subscription.
/// 2. Until its ``patience`` ends, in real time after that, it holds at the first message of a topic that
///    nobody subscribed to yet, so that a client that is still subscribing misses nothing; from then on such
///    messages are skipped.
/// 3. Where books come by REST it holds at a recorded answer until a client has asked for it, so long at
///   the most.
/// 4. A client that subscribes to a book whose image has been played gets one of the book at the playback
///   position.
/// 5. A client that wants fewer levels than were recorded gets changes of its own, made from the true book.
///
/// Times of the methods are of a monotonic clock; times in texts are the recording's.
struct Playback {
    /// The venue says at least so often that it lives, in nanoseconds.
    static let heartbeatInterval: Int64 = 1_000_000_000
    /// REST requests that may wait for their position.
    static let questionLimit = 256
    /// Topics that one client may subscribe to.
    static let subscriptionLimit = 10_000

    struct Client {
        var opening: Opening
        /// Levels a side by topic; 0 is the whole book.
        var subscriptions: [Int: Int] = [:]
        var lastSent: Timestamp
        /// The number of the last message, where they have numbers.
        var lastNumber: Int64 = 0
    }

    /// The best levels of a book for clients that want fewer than were recorded.
    struct View {
        var clients: [Int] = []
        var sides = BookSides()
    }

    struct WaitingQuestion {
        var id: Int
        var symbol: String
        var limit: Int
    }

    let script: PlaybackScript
    let speed: PlaybackSpeed
    let loops: Bool
    /// How long a client may take to subscribe to everything and to ask for an image, in nanoseconds.
    let patience: Int64
    var source: any EntrySource
    var topics: VenueTopicTable
    var truth: any VenueSession
    var truthOutput = VenueOutput()
    var clock: PlaybackClock
    var clients: [Int: Client] = [:]
    /// Clients that get the recorded messages of a topic, by topic.
    var subscribers: [Int: [Int]] = [:]
    /// By topic and depth.
    var views: [Int: [Int: View]] = [:]
    var everSubscribed: Set<Int> = []
    var questions: [WaitingQuestion] = []
    var tape: TradeTape
    var candles: CandleTape
    /// Candles of before the playback.
    var past: SyntheticPast?
    /// The last message of each topic.
    var lastFrames: [Int: [UInt8]] = [:]
    /// The connection that a topic is taken from when several carry it.
    var owners: [Int: Int] = [:]
    /// With a single connection nothing can come twice.
    var seenConnections: Set<Int> = []
    var counters = PlaybackCounters()
    /// When the first subscription came.
    var startedAt: Timestamp?
    /// The recorded time of what was played last.
    var position: Timestamp
    /// What comes next.
    var head: RecordingEntry?
    var headSighting = MessageSubject()
    /// When the entry at the head became due.
    var arrivedAt: Timestamp?
    var isHolding = false
    var hasEnded = false
    var playedSinceRewind = false
    /// Why the recording could not be read to its end.
    var fault: (any Error)?

    init(
        _ script: PlaybackScript, source: any EntrySource, speed: PlaybackSpeed, loops: Bool,
        patience: Duration = VenueSimulatorConfiguration.standardPatience
    ) {
        self.script = script
        self.patience = patience.wholeNanoseconds
        self.source = source
        self.speed = speed
        self.loops = loops
        topics = script.topics
        tape = TradeTape(limit: script.tapeLimit)
        candles = CandleTape(keepsSeconds: script.dialect.hasSecondCandles)
        past = script.past
        truth = Playback.freshTruth(script)
        clock = PlaybackClock(speed: speed)
        position = script.started
    }

    var dialect: any Dialect { script.dialect }

    static func freshTruth(_ script: PlaybackScript) -> any VenueSession {
        script.configuration.makeSession()
    }

    /// Whether somebody takes what is played.
    var hasSubscribers: Bool { clients.values.contains { !$0.subscriptions.isEmpty } }

    /// The true book of a symbol; `nil` while the recording has not given it whole.
    func book(of symbol: String) -> ReferenceBook? {
        let last = topics.find(.book, symbol).flatMap { lastFrames[$0] }
        return ReferenceBook(symbol, in: truth, last: last)
    }

    /// Sends a text to one client as its kind of connection gets it.
    mutating func send(
        _ text: [UInt8], to client: Int, at now: Timestamp, into actions: inout [PlaybackAction]
    ) {
        guard clients[client] != nil else { return }
        clients[client]?.lastSent = now
        counters.sent += 1
        actions.append(.send([client], numbered(text, for: client)))
    }

    private mutating func numbered(_ frame: [UInt8], for client: Int) -> [UInt8] {
        guard dialect.numbersMessages, var last = clients[client]?.lastNumber else { return frame }
        defer { clients[client]?.lastNumber = last }
        return dialect.numbered(frame, after: &last)
    }

    /// Sends a recorded message to some clients, once where all get the same bytes.
    mutating func broadcast(
        _ frame: [UInt8], to receivers: [Int], at now: Timestamp, into actions: inout [PlaybackAction]
    ) {
        guard !receivers.isEmpty else { return }
        counters.sent += UInt64(receivers.count)
        var isSame = true
        for id in receivers {
            clients[id]?.lastSent = now
            if !dialect.sendsImages || dialect.numbersMessages { isSame = false }
        }
        if isSame {
            actions.append(.send(receivers, frame))
        } else {
            for id in receivers {
                guard let opening = clients[id]?.opening else { continue }
                actions.append(.send([id], numbered(dialect.framed(frame, for: opening), for: id)))
            }
        }
    }
}
