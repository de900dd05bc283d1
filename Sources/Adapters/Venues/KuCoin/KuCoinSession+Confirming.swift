package import Instruments
package import MarketData

/// An image is worth nothing without the changes after it: it is asked for and taken once the venue has
/// confirmed the book's subscription.
extension KuCoinSession {
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
        depths[index.offset] = KuCoinDepth()
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
        depths[index.offset] = KuCoinDepth()
        core.lose(index, reason, detail, at: time, into: &output)
        if !takesImage(index) { core.trackers[index.offset].phase = .idle }
    }

    package mutating func resync(
        _ instrument: InstrumentIndex, reason: BookStateReason, detail: String, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        lose(instrument, reason, detail, at: time, into: &output)
        askForImages(at: time, into: &output)
    }

    mutating func askForImages(at time: Timestamp, into output: inout VenueOutput) {
        guard core.isConnected else { return }
        while let index = core.takeDue(at: time) {
            output.actions.append(.request(VenueRequest(purpose: .bookSnapshot(index), url: imageURL(index))))
        }
    }

    func imageURL(_ index: InstrumentIndex) -> String {
        core.configuration.restURL + "/api/v1/market/orderbook/level2_100?symbol="
            + URLText.escape(core.registry[index].symbol)
    }
}
