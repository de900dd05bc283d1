import MarketData

// What coins need of their markets' tickers.
extension TickerBody {
    /// Whether bid and ask are of a book that is proven and of now.
    package var isProven: Bool { bookState == BookState.live.name && stale == nil }

    /// What was traded in 24 hours, in the quote asset; `nil` where nobody says.
    package var turnover: String? { quoteVolume }
}
