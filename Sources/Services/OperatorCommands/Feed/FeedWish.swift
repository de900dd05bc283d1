import Instruments
import MarketStore

/// What comes of an operator's wish for many instruments of one venue, where its feed follows only so many.
struct FeedWish: Hashable, Sendable {
    /// To be wanted from now on, the first that is entitled first.
    private(set) var added: [String] = []
    /// Wanted by operators before.
    private(set) var known: [String] = []
    /// What the feed would not follow.
    private(set) var refused: [String] = []
    /// What others want, and what the feed follows no more for it.
    private(set) var displaced: [String] = []

    /// Decides by the plan that the feed makes of the same rows.
    ///
    /// - Parameters:
    ///   - symbols: What is wished for, in order of preference.
    ///   - channels: Kinds of data.
    ///   - rows: What is wanted of the venue now.
    ///   - limit: How many the feed follows at most; `nil` where none says so.
    init(_ symbols: [InstrumentID], _ channels: [String], among rows: [DatedSubscription], limit: Int?) {
        let own = Set(
            rows.map(\.subscription)
                .filter { $0.wantedBy == FeedCommand.wantedBy && Set(channels).isSubset(of: $0.channels) }
                .map(\.instrument))
        known = symbols.filter(own.contains).map(\.symbol)
        let new = symbols.filter { !own.contains($0) }
        let latest = rows.map(\.added).max() ?? .zero
        let wishes = new.enumerated().map { place, id in
            DatedSubscription(
                Subscription(instrument: id, channels: channels, wantedBy: FeedCommand.wantedBy),
                added: latest.adding(nanoseconds: Int64(place + 1)))
        }
        let limit = limit ?? .max
        let after = FollowPlan(rows + wishes, limit: limit)
        let dropped = Set(after.dropped)
        added = new.map(\.symbol).filter { !dropped.contains($0) }
        refused = new.map(\.symbol).filter(dropped.contains)
        displaced = FollowPlan(rows, limit: limit).followed.filter(dropped.contains)
    }

    /// What an operator is told.
    ///
    /// - Parameters:
    ///   - venue: Whose instruments.
    ///   - limit: As decided by.
    /// - Returns: A line for each thing.
    func words(_ venue: Venue, limit: Int?) -> [String] {
        var lines = ["\(Self.count(added)) of \(venue) added, \(known.count) wanted before"]
        let most = limit.map { "feed-ingestor follows at most \($0) instruments of \(venue)" } ?? ""
        if !refused.isEmpty { lines.append("\(refused.count) refused (\(Self.some(refused))): \(most)") }
        if !displaced.isEmpty {
            lines.append(
                "\(Self.count(displaced)) that others want are not followed any more "
                    + "(\(Self.some(displaced))): \(most)")
        }
        return lines
    }

    private static func count(_ symbols: [String]) -> String {
        symbols.count == 1 ? "1 instrument" : "\(symbols.count) instruments"
    }

    private static func some(_ symbols: [String]) -> String {
        symbols.prefix(5).joined(separator: ", ") + (symbols.count > 5 ? " …" : "")
    }
}
