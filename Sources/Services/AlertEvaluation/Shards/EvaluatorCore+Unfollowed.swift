import Alerting
import Instruments

/// Instruments that no feed follows, whatever the feed says of itself.
extension EvaluatorCore {
    /// How many instruments of each venue its feed follows at most, of those that said it.
    var subscriptionLimits: [Venue: Int] { feeds.compactMapValues(\.subscriptionsLimit) }

    /// Takes note of what the feeds leave out now: of that nothing can be believed until they follow it.
    mutating func leaveOut(_ left: [InstrumentID: UnfollowedInstrument], at now: Timestamp) {
        let before = unfollowed
        unfollowed = left.mapValues(\.reason)
        // Nearly always.
        if unfollowed == before { return }
        for (id, index) in places.sorted(by: { $0.key < $1.key }) {
            switch (before[id], unfollowed[id]) {
            case (let old, let new?) where old != new:
                loseTrades(index, "", now)
                loseBook(index, "", now)
                loseMark(index, "", now)
            // What the feed said before, that all it has is stored, was not about this one.
            case (_?, nil): followers[index].lose()
            default: break
            }
        }
        flush(at: now)
    }

    /// Why something of an instrument cannot be believed: that it is not followed explains all else.
    func words(_ reason: String, of index: Int) -> String { unfollowed[followers[index].id] ?? reason }

    /// Whether a feed follows it, if it is traded at all.
    func isFollowed(_ id: InstrumentID) -> Bool { unfollowed[id] == nil }
}
