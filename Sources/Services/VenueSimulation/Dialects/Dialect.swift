import Instruments
import JSON
import MarketState
import Venues

/// One venue's public protocol from the venue's side: what its messages are about, and what it says itself.
///
/// Everything is a pure function of its arguments; ``Playback`` keeps the state.
protocol Dialect: Sendable {
    /// Whose protocol.
    var venue: Venue { get }
    /// Whether symbols are written in either case.
    var foldsCase: Bool { get }
    /// Whether a subscription is answered by the whole book; otherwise clients get it by REST.
    var sendsImages: Bool { get }
    /// Whether clients begin anew with an image that they did not ask for; otherwise a recording that begins
    /// again closes their connections.
    var takesUnaskedImages: Bool { get }
    /// The message that says that the venue is alive; `nil` where there is none.
    var heartbeat: [UInt8]? { get }
    /// Compresses or frames a text as the venue does on the wire; `nil` where it sends plain text.
    var transform: (@Sendable ([UInt8]) -> [UInt8])? { get }
    /// Levels a side of the recorded books, where the venue offers several; 0 is the whole book.
    var depth: Int { get set }
    /// Options of the configuration of a session that reads it.
    var options: [String: String] { get }
    /// Whether the venue gives candles of a second.
    var hasSecondCandles: Bool { get }
    /// Whether some of its routes are asked by POST.
    var takesPosts: Bool { get }
    /// Whether the messages of a connection have numbers, one more than the message before.
    var numbersMessages: Bool { get }

    // MARK: Recorded messages

    /// Says what a recorded message is about, entering new topics.
    func sight(
        _ frame: UnsafeRawBufferPointer, _ topics: inout VenueTopicTable, _ subject: inout MessageSubject
    )
    /// The symbol whose whole book a recorded REST answer is.
    func imageSymbol(ofURL url: String) -> String?
    /// What an image or a message of no topic says of the depth of the recorded books.
    func recordedDepth(in message: UnsafeRawBufferPointer, isImage: Bool) -> RecordedDepth
    /// Levels a side of books of which so much was said; 0 is the whole book.
    func depth(of recorded: RecordedDepth) -> Int

    // MARK: WebSocket

    /// What a connection at this address begins with; `nil` where the venue has no such address.
    func opening(_ address: RequestAddress) -> Opening?
    /// What a client's message asks for.
    func read(_ text: [UInt8], at time: Timestamp) -> [ClientStep]
    /// The venue's answer to one part of such a message; `nil` where it says nothing.
    func reply(to demand: Demand, _ verdict: DemandVerdict, at time: Timestamp) -> [UInt8]?
    /// The venue's answer to a client's whole message, behind those to its parts; `nil` for none.
    func conclude(_ conclusion: Conclusion, at time: Timestamp) -> [UInt8]?
    /// The message that a connection is greeted with.
    func greeting(client: Int, at time: Timestamp) -> [UInt8]?
    /// A message as this client's kind of connection gets it.
    func framed(_ frame: [UInt8], for opening: Opening) -> [UInt8]
    /// A message with the next number of its connection, where it is one of those that have one.
    func numbered(_ frame: [UInt8], after last: inout Int64) -> [UInt8]
    /// The whole book as the venue sends it on subscription.
    ///
    /// `depth` 0 is the whole book.
    func image(of book: ReferenceBook, depth: Int, channelID: Int64, at time: Timestamp) -> [UInt8]
    /// The changes of a view of the best levels.
    func update(
        of book: ReferenceBook, _ changes: [ViewChange], depth: Int, channelID: Int64, at time: Timestamp
    ) -> [[UInt8]]
    /// What a new subscriber of another topic gets at once, made from its last message.
    func recap(of topic: VenueTopic, last frame: [UInt8]) -> [UInt8]?

    // MARK: REST

    /// Whether one list has all instruments, so that a recorded one answers every question for it.
    var hasOneList: Bool { get }
    /// The path of its list in recordings of an earlier interface, which sessions of ours read as well.
    var earlierList: String? { get }
    /// Whether a recorded answer from this address is given again to whoever asks there.
    func keeps(_ address: RequestAddress) -> Bool
    /// What a GET asks for.
    func question(_ address: RequestAddress, symbols: [String]) -> Question
    /// The whole book as a REST answer.
    ///
    /// `limit` 0 is the whole book.
    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8]
    /// Trades as a REST answer.
    ///
    /// The frames are the recorded ones that hold trades of that symbol.
    func restTrades(_ frames: some Sequence<[UInt8]>, _ query: TradeQuery) -> [UInt8]
    /// Candles as a REST answer, from those of the query's length; the last of them is still open.
    func restCandles(
        _ candles: [Candle], recorded: [Timestamp: RecordedCandle], _ query: CandleQuery
    ) -> [UInt8]
    /// The last 24 hours of all markets as a REST answer.
    func restTickers(_ days: [MarketDay]) -> RESTAnswer
    /// The venue's own candle that a recorded message says to be over.
    func recordedCandle(_ frame: [UInt8]) -> RecordedCandle?
    /// A list of instruments for a recording that has none.
    func instrumentList(_ instruments: [ListedInstrument]) -> [UInt8]
    /// The same where the address says which list is wanted.
    func instrumentList(_ instruments: [ListedInstrument], at address: RequestAddress) -> [UInt8]
    /// The venue's time.
    func restTime(at time: Timestamp) -> RESTAnswer
    /// The answer while a book is not whole.
    func unavailable() -> RESTAnswer
    /// The answer where the venue has nothing.
    func notFound() -> RESTAnswer
}

extension Dialect {
    var takesPosts: Bool { false }
    var numbersMessages: Bool { false }
    var foldsCase: Bool { false }
    var sendsImages: Bool { true }
    var takesUnaskedImages: Bool { sendsImages }
    var heartbeat: [UInt8]? { nil }
    var transform: (@Sendable ([UInt8]) -> [UInt8])? { nil }
    var options: [String: String] { [:] }
    var hasSecondCandles: Bool { false }
    var hasOneList: Bool { true }
    var earlierList: String? { nil }

    func imageSymbol(ofURL url: String) -> String? { nil }
    func recordedDepth(in message: UnsafeRawBufferPointer, isImage: Bool) -> RecordedDepth { RecordedDepth() }
    func depth(of recorded: RecordedDepth) -> Int { recorded.granted }
    func restTime(at time: Timestamp) -> RESTAnswer { notFound() }
    func conclude(_ conclusion: Conclusion, at time: Timestamp) -> [UInt8]? { nil }
    func keeps(_ address: RequestAddress) -> Bool { false }
    func instrumentList(_ instruments: [ListedInstrument], at address: RequestAddress) -> [UInt8] {
        instrumentList(instruments)
    }
    func recordedCandle(_ frame: [UInt8]) -> RecordedCandle? { nil }
    func greeting(client: Int, at time: Timestamp) -> [UInt8]? { nil }
    func framed(_ frame: [UInt8], for opening: Opening) -> [UInt8] { frame }
    func numbered(_ frame: [UInt8], after last: inout Int64) -> [UInt8] { frame }
}

/// A dialect that reads recorded messages where they lie, for venues that say a great deal.
protocol ScanningDialect: Dialect {
    /// Says what a recorded message is about, entering new topics; what cannot be read of it is thrown.
    func sight(
        _ scanner: inout JSONScanner, _ topics: inout VenueTopicTable, _ subject: inout MessageSubject
    ) throws(ScanError)
}

extension ScanningDialect {
    func sight(
        _ frame: UnsafeRawBufferPointer, _ topics: inout VenueTopicTable, _ subject: inout MessageSubject
    ) {
        subject.reset()
        do throws(ScanError) {
            guard var scanner = JSONScanner(frame) else { return }
            try sight(&scanner, &topics, &subject)
        } catch {
            subject.reset()
            subject.kind = .unreadable
        }
    }
}

/// What a recording says of the depth of its books.
struct RecordedDepth: Hashable, Sendable {
    /// Levels a side that the venue granted; 0 where it said none.
    var granted = 0
    /// Levels of the greatest side of an image.
    var ofImages = 0

    /// What two messages say together.
    mutating func join(_ other: RecordedDepth) {
        granted = max(granted, other.granted)
        ofImages = max(ofImages, other.ofImages)
    }
}

/// How a connection begins.
struct Opening: Hashable, Sendable {
    /// What its address already subscribes to.
    var steps: [ClientStep] = []
    /// Whether messages go without their stream's name around them.
    var isRaw = false
}

/// One part of what a client's message asks for, in order.
enum ClientStep: Hashable, Sendable {
    case subscribe(Demand)
    case unsubscribe(Demand)
    /// Topics of one message, which the venue takes or refuses together and answers once.
    case together([Demand])
    /// The whole book of a symbol, now, on this connection.
    case image(Demand)
    /// Nothing but an answer.
    case reply([UInt8])
}

/// One topic that a client wants or no longer wants.
struct Demand: Hashable, Sendable {
    /// `nil` for a kind of data that the venue does not have.
    var kind: StreamKind?
    /// The symbol; `nil` means all.
    var symbol: String?
    /// Levels a side; `nil` for the venue's default or where there is no choice.
    var depth: Int?
    /// Whether the image is wanted.
    var wantsImage = true
    /// The words that the client used for it.
    var wording: String
    /// The message that it came in, for answers that repeat it.
    var request: JSONValue
    /// Whether the client asked to end a subscription.
    var isEnd = false
    /// The number of the channel that is meant, where it is all that the client says.
    var channelID: Int64?
    /// Whether it is part of a message that has been answered, so that nothing is said to it.
    var isAnswered = false
}

/// What became of a client's message.
struct Conclusion: Sendable {
    /// Each part of it that asked for a topic, in order.
    var outcomes: [(demand: Demand, verdict: DemandVerdict)] = []
    /// What the client is subscribed to now, in the order of the recording.
    var subscriptions: [VenueTopic] = []

    /// The message.
    var request: JSONValue? { outcomes.first?.demand.request }

    /// The demands that were neither granted nor ended.
    var refused: [(demand: Demand, verdict: DemandVerdict)] { outcomes.filter { $0.verdict.isRefusal } }
}

/// What becomes of a demand.
enum DemandVerdict: Hashable, Sendable {
    /// Depth 0 is the whole book.
    case granted(depth: Int, channelID: Int64)
    case ended(depth: Int, channelID: Int64)
    case unknownSymbol
    case unknownKind
    case alreadySubscribed
    case notSubscribed
    case tooMany

    /// Whether there is nothing to be had, or no more.
    ///
    /// What is there twice, or ended though it never began, most venues take without a word.
    var isRefusal: Bool {
        switch self {
        case .unknownSymbol, .unknownKind, .tooMany: true
        case .granted, .ended, .alreadySubscribed, .notSubscribed: false
        }
    }
}

/// What a REST request asks for.
enum Question: Hashable, Sendable {
    case instruments
    case book(symbol: String, limit: Int)
    case trades(TradeQuery)
    case candles(CandleQuery)
    /// The last 24 hours of all markets.
    case tickers
    /// An answer that needs no state.
    case settled(RESTAnswer)
    /// The venue's time.
    case time
}

/// A status and a JSON body.
struct RESTAnswer: Hashable, Sendable {
    var status: Int
    var body: [UInt8]
    /// Seconds that the client is asked to wait.
    var retryAfter: Int?

    init(status: Int, _ body: String) {
        self.status = status
        self.body = Array(body.utf8)
    }

    init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}

/// Which trades of a tape are wanted.
struct TradeQuery: Hashable, Sendable {
    var symbol: String
    /// The pair as the client wrote it.
    var wording: String
    /// From this id on.
    var fromID: Int64?
    /// Up to this id, itself excluded.
    var beforeID: Int64?
    /// From this time on, itself included.
    var start: Timestamp?
    /// Up to this time, itself included.
    var end: Timestamp?
    /// At the most so many.
    var limit: Int
    /// So many are left out first.
    var offset = 0
    /// Newest first.
    var isReversed = false
    /// Whether the route is the one of aggregated trades.
    var isAggregate = false
}

/// What a list of instruments says of one.
struct ListedInstrument: Hashable, Sendable {
    var symbol: String
    var priceScale: Scale
    var sizeScale: Scale
}
