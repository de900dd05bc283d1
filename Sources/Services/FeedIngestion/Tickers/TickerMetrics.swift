import Instruments
import Metrics

/// What an operator sees of the tickers of a venue's markets.
struct TickerMetrics {
    let markets: Gauge
    let unreadable: Counter
    let unnamed: Counter
    let refused: Counter
    let reconnects: Counter
    private let venue: String

    init(_ venue: Venue) {
        let name = venue.rawValue
        func counter(_ label: String) -> Counter { Counter(label: label, dimensions: [("venue", name)]) }
        self.venue = name
        markets = Gauge(label: "feed_ticker_markets", dimensions: [("venue", name)])
        unreadable = counter("feed_ticker_rows_unreadable_total")
        unnamed = counter("feed_ticker_rows_unnamed_total")
        refused = counter("feed_ticker_messages_refused_total")
        reconnects = counter("feed_ticker_reconnects_total")
    }

    /// One a word of a bounded set, made when it is needed: requests are rare.
    func requested(_ outcome: String) {
        Counter(label: "feed_ticker_requests_total", dimensions: [("venue", venue), ("outcome", outcome)])
            .increment()
    }
}
