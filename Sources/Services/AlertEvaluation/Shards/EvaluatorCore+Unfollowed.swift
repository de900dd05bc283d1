import Alerting
import Instruments

/// Instruments that no feed follows, whatever the feed says of itself.
extension EvaluatorCore {
    /// Takes note of what the feeds leave out now: of that nothing can be believed until they follow it.
    mutating func leaveOut(_ ids: [InstrumentID], limit: Int, at now: Timestamp) {
        // Nearly always.
        if ids.count == unfollowed.count, ids.allSatisfy({ unfollowed[$0] != nil }) { return }
        let before = unfollowed
        unfollowed = [:]
        for id in ids { unfollowed[id] = UnfollowedInstrument(venue: id.venue, limit: limit).reason }
        for (id, index) in places.sorted(by: { $0.key < $1.key }) {
            switch (before[id], unfollowed[id]) {
            case (nil, _?):
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
