import Instruments
import MarketData

/// An image is worth nothing without the changes after it: it is asked for and taken once the venue has
/// confirmed the book's subscription.
extension GateioSession {
    /// The answer to a subscription, or its first message: the image is asked for in a second.
    ///
    /// The first message that waits for it makes that shorter.
    mutating func confirm(_ index: InstrumentIndex, at time: Timestamp) {
        guard core.isConnected, core.wants(.book, index), confirmedBooks.insert(index).inserted,
            !core.trackers[index.offset].isFollowing
        else { return }
        core.trackers[index.offset].attempts = 0
        core.trackers[index.offset].phase = .scheduled(at: time.adding(nanoseconds: 1_000_000_000))
    }

    /// The venue refuses a book's subscription: there is none until it is asked for again.
    mutating func refused(
        _ index: InstrumentIndex, _ words: String, at time: Timestamp, into output: inout VenueOutput
    ) {
        confirmedBooks.remove(index)
        guard core.wants(.book, index) else { return }
        if core.trackers[index.offset].isFollowing {
            lose(index, .unsubscribed, words, at: time, into: &output)
        } else {
            expectImage(index)
        }
    }

    /// The image waits for the confirmation.
    mutating func expectImage(_ index: InstrumentIndex) {
        depths[index.offset] = DepthState()
        core.trackers[index.offset].attempts = 0
        core.trackers[index.offset].phase = .idle
    }

    /// Whether an answer with the whole book may become it; a replay has no subscriptions of its own.
    func takesImage(_ index: InstrumentIndex) -> Bool {
        core.takesImage(index)
            && (core.configuration.discoversInstruments || confirmedBooks.contains(index))
    }

    mutating func lose(
        _ index: InstrumentIndex, _ reason: BookStateReason, _ detail: String, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        depths[index.offset] = DepthState()
        core.lose(index, reason, detail, at: time, into: &output)
        if !takesImage(index) { core.trackers[index.offset].phase = .idle }
    }
}
