import Instruments
import MarketData

extension BinanceSession {
    /// Steps 2 to 4: takes the snapshot if it reaches the waiting events, then applies those.
    mutating func takeSnapshot(
        _ snapshot: BinanceDepthAnswer, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        guard core.takesImage(index) else { return }
        let pending = depths[index.offset].pending
        if let first = pending.first?.header, snapshot.lastUpdateID < first.firstUpdateID - 1 {
            retryImage(index, at: time)
            return
        }
        core.trackers[index.offset].book.replace(bids: snapshot.bids, asks: snapshot.asks)
        depths[index.offset] = DepthState(lastUpdateID: snapshot.lastUpdateID, isFirst: true, pending: [])
        core.trackers[index.offset].publishSnapshot(venueTime: snapshot.venueTime, at: time, into: &output)
        for (position, diff) in pending.enumerated() {
            guard core.trackers[index.offset].isFollowing else {
                // A gap among the waiting events: those from it on wait for the next snapshot.
                depths[index.offset].pending.append(contentsOf: pending[position...])
                return
            }
            let start = output.levels.count
            guard append(diff, index, into: &output) else {
                lose(index, .numberOutOfRange, "a level does not fit", at: time, into: &output)
                return
            }
            take(diff.header, index, from: start, at: time, into: &output)
        }
    }

    mutating func retryImage(_ index: InstrumentIndex, at time: Timestamp) {
        guard core.takesImage(index) else { return }
        let delay = core.governor.delay(attempts: core.trackers[index.offset].attempts)
        core.trackers[index.offset].phase = .scheduled(at: time.adding(nanoseconds: max(delay, 1)))
    }

    /// Puts a waiting event's levels at the end of the output's, at the book's scales.
    private func append(_ diff: BinanceDiff, _ index: InstrumentIndex, into output: inout VenueOutput) -> Bool
    {
        let book = core.trackers[index.offset].book
        let price = book.priceScale.power / diff.priceScale.power
        let size = book.sizeScale.power / diff.sizeScale.power
        for level in diff.levels {
            let (newPrice, first) = level.price.rawValue.multipliedReportingOverflow(by: price)
            let (newSize, second) = level.size.rawValue.multipliedReportingOverflow(by: size)
            if first || second { return false }
            output.levels.append(
                BookLevelChange(side: level.side, price: Price(newPrice), size: Quantity(newSize)))
        }
        return true
    }
}
