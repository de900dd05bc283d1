import AccountStore
import AlertStore
import GatewayStream
import Instruments
import MarketData
import Shapes

/// A venue's feed, with its books by state.
struct VenueBody: WireBody {
    static let shape = BodyShape<VenueBody>("Venue", sorted: true) {
        Field(all: \.feed)
        Field("books", \.books, "How many books are in which state.", example: ["live": 4])
        Field(
            "lag_ms", \.lagMilliseconds,
            "Between the venue's last word and the feed's, in milliseconds; null before the first.",
            example: 20)
    }

    var feed: FeedBody
    var books: [String: Int]
    var lagMilliseconds: Int64?
}

/// Everything that an operator looks at.
struct StatusBody: WireBody {
    static let shape = BodyShape<StatusBody>("Status") {
        Field(
            "books", \.books, "How many books are in which state, by venue.",
            example: .object([.init(DocumentNode.venueName, ["live": 4])]))
        Field(
            "bus", \.bus.rawValue, "live, or what is wrong with this gateway's connection to the bus.",
            as: .words(BusConnectionState.Word.allCases.map(\.rawValue)), example: "live")
        Field("feeds", \.feeds)
        Field(
            "queues", \.queues,
            """
            What waits to be told or sent: deliveries of alerts, letters of accounts. Empty while the \
            database does not answer, which is one of the troubles then.
            """)
        Field("services", \.services)
        Field("troubles", \.troubles)
    }

    var bus: BusConnectionState.Word
    var services: [ServiceBody]
    var feeds: [FeedBody]
    var books: [String: [String: Int]]
    var queues: [QueueBody]
    var troubles: [OperatorIssue]
}

/// Something an operator has to look at.
struct OperatorIssue: WireBody {
    static let shape = BodyShape<OperatorIssue>("Trouble") {
        Field(
            "advice", \.advice, "What to do about it.",
            example: "it connects again by itself; if it stays so, look at the venue's status page")
        Field("subject", \.subject, "What has it.", example: "feed bitmex")
        Field("trouble", \.trouble, example: "disconnected")
    }

    var subject: String
    var trouble: String
    var advice: String
}

/// What waits to be done, of one kind.
struct QueueBody: WireBody {
    static let shape = BodyShape<QueueBody>("Queue") {
        Field("dead", \.dead, "Given up.", example: 0)
        Field("failing", \.failing, "Of those that wait, the ones that failed before.", example: 1)
        Field("held", \.held, "Of those that wait, the ones held back for a digest.", example: 0)
        Field(
            "last_error", { $0.lastError.map { String($0.prefix(300)) } },
            "Why the last one failed, at most 300 characters; null where none did.")
        Field("name", \.name, as: .words(["deliveries", "letters"]))
        Field(
            "oldest", \.oldest?.plain, "When the oldest of those that wait was made; null where none waits.",
            as: .nullable(.time), example: "2026-11-21T11:59:30Z")
        Field("waiting", \.waiting, example: 2)
    }

    var name: String
    var waiting: Int64
    var failing: Int64
    var held: Int64
    var oldest: Timestamp?
    var dead: Int64
    var lastError: String?

    init(_ figures: DeliveryQueue) {
        (name, waiting, failing, held) = ("deliveries", figures.waiting, figures.failing, figures.held)
        (oldest, dead, lastError) = (figures.oldest, figures.dead, figures.lastError)
    }

    init(_ figures: LetterQueue) {
        (name, waiting, failing, held) = ("letters", figures.waiting, figures.failing, 0)
        (oldest, dead, lastError) = (figures.oldest, 0, figures.lastError)
    }
}
