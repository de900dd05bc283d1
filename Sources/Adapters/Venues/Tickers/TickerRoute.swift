import Instruments
package import MarketData

/// How a venue tells the prices of all its markets at once, without anybody following their books.
///
/// It is the first source of a price of a coin that nobody follows: keyless, the venue's own, and each market
/// within seconds. A few pages are asked for by REST, each once a ``period``, and hold every market; where
/// the venue also pushes what changed of all markets, ``stream`` brings that each second, and the pages are
/// the beginning and what proves that nothing was left out.
///
/// It is not a part of a ``VenueSession``: it has no subscriptions, no books and no recovery, it runs where
/// nothing is followed, and it may end without anything being in doubt. Its reader is a pure function of
/// bytes, as that of a ``HistoryRoute``. Its requests take their turn among those of the venue, as what can
/// wait.
package struct TickerRoute: Sendable {
    /// What is asked for; together all markets.
    let pages: [TickerPage]
    /// Nanoseconds between two rounds, so that one costs a small part of the venue's limits; while a stream
    /// brings nothing it is that of the stream.
    let period: Int64
    /// What is pushed, if the venue does.
    var stream: TickerStream?
    /// How the symbols of the pages are found, where they are not those of the instruments.
    var names: TickerNames?
}

/// One request, the same each time, and what its answer says.
package struct TickerPage: Sendable {
    /// The whole address.
    package let url: String
    /// Reads an answer.
    let read: @Sendable (inout JSONScanner, inout TickerRows) throws(ScanError) -> Void
}

/// A connection that brings what changed of all markets.
package struct TickerStream: Sendable {
    /// The whole address; it names what is subscribed to.
    package let url: String
    /// Nanoseconds between two rounds of pages while nothing is pushed.
    let silentPeriod: Int64
    /// Reads a message.
    let read: @Sendable (inout JSONScanner, inout TickerRows) throws(ScanError) -> Void
}

/// A list that says which instrument a page means.
package struct TickerNames: Sendable {
    /// The whole address.
    package let url: String
    /// Reads an answer: the symbol of the instrument by that of the pages.
    let read: @Sendable (inout JSONScanner) throws(ScanError) -> [String: String]
}

/// The markets of an answer or a message.
package struct TickerRows: Sendable {
    /// In the venue's order.
    package internal(set) var tickers: [MarketTicker] = []
    /// Rows that could not be read; each costs only itself.
    package internal(set) var unreadable = 0
    /// Rows of no instrument that the venue lists by name.
    package internal(set) var unnamed = 0
    /// Whether nothing stands between this and the end of what was said; a market that is not among the rows
    /// of a whole page is no more.
    package internal(set) var isWhole = true
}
