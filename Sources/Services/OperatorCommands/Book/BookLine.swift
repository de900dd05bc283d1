import Instruments
import MarketData
import Shapes

/// A book as `--json` prints it.
struct BookLine: WireBody {
    static let shape = BodyShape<BookLine>("Book") {
        Field(all: { InstrumentFields($0.view.instrument) })
        Field("state", \.view.state.name, as: .words(BookState.allCases.map(\.name)), example: "live")
        Field("reason", \.view.reason.name, "Why its state is so.", example: "verified")
        Field("detail", \.view.detail, "The reason in more words, or nothing.", example: "")
        Field("connection", \.view.connection.rawValue, "Ours to the book.", example: "live")
        Field("sequence", \.view.position?.sequence, "The number of its last change.", example: 123_456)
        Field(
            "epoch", { $0.view.position.map { String($0.epoch) } },
            "The life of its producer, in which changes are numbered.", example: "18")
        Field("producer", \.view.position?.producer, "Who makes it.", example: "feed-ingestor")
        Field(
            "venue_time", \.view.venueTime?.iso8601, "When its last change was made, by the venue.",
            as: .nullable(.time))
        Field(
            "received_time", \.view.receivedTime?.iso8601, "When its last change was received.",
            as: .nullable(.time))
        Field("bid_levels", \.view.book.bidCount, "Levels that the book has in all.", example: 1_000)
        Field("ask_levels", \.view.book.askCount, "Levels that the book has in all.", example: 1_000)
        Field("bids", { $0.view.book.numbers($0.levels.bids) }, "Price and size.", as: .levels)
        Field("asks", { $0.view.book.numbers($0.levels.asks) }, "Price and size.", as: .levels)
    }

    private let view: BookView
    private let levels: (bids: [BookLevel], asks: [BookLevel])

    init(_ view: BookView) { (self.view, levels) = (view, view.range.levels(of: view.book)) }
}
