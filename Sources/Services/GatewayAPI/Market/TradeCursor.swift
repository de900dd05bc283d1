import GatewayFrame
import Instruments
import MarketData

/// Where a page of trades, newest first, goes on.
///
/// A page does not end among trades of one instant, since what is stored late may come between them; the next
/// begins before its last instant. Only where an instant has more trades than fit does the next page go on
/// within it.
struct TradeCursor: Hashable {
    /// Trades of one instant that are passed over at most; those that were told, newest first.
    static let limit = 10_000

    /// The instant of the last trade that was told.
    let instant: Timestamp
    /// How many trades of that instant were told, where others of it are to come; else 0.
    let skipped: Int

    private init(_ instant: Timestamp, skipped: Int = 0) {
        self.instant = instant
        self.skipped = skipped
    }

    /// Reads ``text``.
    ///
    /// - Throws: `invalid-field` for anything else.
    init(_ text: String) throws(Problem) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count <= 2, let nanoseconds = Int64(parts[0]),
            let skipped = parts.count == 1 ? 0 : Int(parts[1]), (0...Self.limit).contains(skipped)
        else { throw .invalid("cursor", text, accepted: "the \"next\" of a page of this list") }
        self.init(Timestamp(nanoseconds: nanoseconds), skipped: skipped)
    }

    /// As a cursor has it.
    var text: String { skipped == 0 ? "\(instant.nanoseconds)" : "\(instant.nanoseconds) \(skipped)" }

    /// The page's trades, those passed over among them, come before this.
    var bound: Timestamp { skipped == 0 ? instant : instant.adding(nanoseconds: 1) }

    /// Makes a page.
    ///
    /// - Parameters:
    ///   - trades: Newest first, one more than fits if there are more.
    ///   - limit: How many fit.
    ///   - place: Where the page begins; `nil` for the newest.
    /// - Returns: The page, and where the next begins; `nil` where nothing follows.
    static func cut(
        _ trades: [Trade], limit: Int, after place: TradeCursor?
    ) -> (items: [Trade], next: TradeCursor?) {
        guard trades.count > limit else { return (trades, nil) }
        let items = Array(trades.prefix(limit))
        let following = trades[limit].venueTime
        let whole = items.filter { $0.venueTime != following }
        if let last = whole.last { return (whole, TradeCursor(last.venueTime)) }
        let before = place.map { $0.instant == following ? $0.skipped : 0 } ?? 0
        let skipped = before + items.count
        // Nobody trades so often at once; the page after it begins with another instant, rather than never.
        return (items, TradeCursor(following, skipped: skipped <= Self.limit ? skipped : 0))
    }
}
