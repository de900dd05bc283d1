import Instruments
import MarketData

extension LinkedBooks {
    /// The venue has stopped a book: one that came late, before its subscription is repeated, is lost.
    ///
    /// - Parameters:
    ///   - index: Whose.
    ///   - isAsked: Whether the subscription that brings the next image is on its way.
    ///   - core: Has the book.
    ///   - time: When it said so.
    ///   - output: Where it is said.
    mutating func stopped(
        _ index: InstrumentIndex, isAsked: Bool, in core: inout SessionCore, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        guard core.wants(.book, index), core.trackers[index.offset].isFollowing else { return }
        lose(index, .unsubscribed, "the venue has ended its messages", in: &core, at: time, into: &output)
        if isAsked { core.trackers[index.offset].phase = .waiting(since: time) }
    }

    /// The venue will never send a book: it is not asked for any more until it is wanted anew.
    mutating func refused(
        _ index: InstrumentIndex, _ words: String, in core: inout SessionCore, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        guard core.wants(.book, index) else { return }
        if core.trackers[index.offset].isFollowing {
            lose(index, .unsubscribed, words, in: &core, at: time, into: &output)
        }
        core.trackers[index.offset].phase = .idle
    }
}
