import Instruments
import MarketData

/// An image of a book or a change of one, as it was read.
struct HuobiBook: Sendable {
    /// `seqNum`, where books come as changes.
    var sequence: Int64?
    /// `prevSeqNum`, of changes.
    var previous: Int64?
    var venueTime: Timestamp?
    var levels: [RawLevel] = []
}

extension HuobiSession {
    /// `bids` and `asks`, with `seqNum` and `prevSeqNum` or with `ts` and `version`.
    func readBook(_ scanner: inout JSONScanner) throws(ScanError) -> HuobiBook {
        var book = HuobiBook()
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "bids") {
                if try !scanner.takeNull() { try scanner.levels(.bid, into: &book.levels) }
            } else if scanner.equals(key, "asks") {
                if try !scanner.takeNull() { try scanner.levels(.ask, into: &book.levels) }
            } else if scanner.equals(key, "seqNum") {
                book.sequence = try scanner.integer()
            } else if scanner.equals(key, "prevSeqNum") {
                book.previous = try scanner.integer()
            } else if scanner.equals(key, "ts") {
                book.venueTime = Timestamp(milliseconds: try scanner.integer())
            } else {
                try scanner.skip()
            }
        }
        return book
    }

    mutating func takeImage(
        _ image: HuobiBook, _ index: InstrumentIndex, _ stamp: Stamp, into output: inout VenueOutput
    ) throws(ScanError) {
        depths[index.offset].sequence = image.sequence ?? -1
        depths[index.offset].pending = []
        try core.takeImage(
            image.levels, index, venueTime: image.venueTime ?? stamp.venue, at: stamp.received, into: &output)
    }

    /// Steps 2 and 3 of the procedure.
    mutating func takeAnswer(
        _ image: HuobiBook, _ index: InstrumentIndex, _ stamp: Stamp, into output: inout VenueOutput
    ) throws(ScanError) {
        guard let sequence = image.sequence else { throw .malformed }
        guard core.takesImage(index) else { return }
        guard depths[index.offset].isSubscribed || core.configuration.discoversInstruments else {
            return retryImage(index, at: stamp.received)
        }
        let kept = depths[index.offset].pending
        let pending = kept.filter { ($0.sequence ?? 0) > sequence }
        output.counters.staleDropped &+= UInt64(kept.count - pending.count)
        if let first = pending.first, first.previous != sequence {
            // Too old for what was kept, or between two changes.
            depths[index.offset].pending = pending
            return retryImage(index, at: stamp.received)
        }
        try takeImage(image, index, stamp, into: &output)
        for change in pending {
            try takeChange(change, index, stamp, into: &output)
        }
    }

    /// Step 4.
    mutating func takeChange(
        _ change: HuobiBook, _ index: InstrumentIndex, _ stamp: Stamp, into output: inout VenueOutput
    ) throws(ScanError) {
        guard let sequence = change.sequence, let previous = change.previous else { throw .malformed }
        depths[index.offset].isSubscribed = true
        guard core.trackers[index.offset].isFollowing else {
            return wait(change, index, at: stamp.received)
        }
        let last = depths[index.offset].sequence
        if previous == last {
            depths[index.offset].sequence = sequence
            return try apply(change, index, stamp, into: &output)
        }
        if sequence <= last {
            output.counters.staleDropped &+= 1
            guard depths[index.offset].stale.isTooLong(behind: last, at: stamp.received) else { return }
        }
        output.counters.gaps &+= 1
        lose(
            index, .sequenceGap, "expected \(last), received \(previous)", at: stamp.received, into: &output)
        // The change that shows the gap is the first to wait for the new image.
        wait(change, index, at: stamp.received)
    }

    private mutating func apply(
        _ change: HuobiBook, _ index: InstrumentIndex, _ stamp: Stamp, into output: inout VenueOutput
    ) throws(ScanError) {
        let start = output.levels.count
        output.levels += try core.scale(change.levels, index)
        core.trackers[index.offset].book.apply(output.levels.span.extracting(start..<output.levels.count))
        let isStuck = core.trackers[index.offset].publishDelta(
            from: start, venueTime: change.venueTime ?? stamp.venue, at: stamp.received, into: &output)
        if isStuck {
            lose(index, .crossed, "crossed for two messages", at: stamp.received, into: &output)
        }
    }

    private mutating func wait(_ change: HuobiBook, _ index: InstrumentIndex, at time: Timestamp) {
        let last = depths[index.offset].pending.last?.sequence
        let isBroken = last != nil && last != change.previous
        // No image bridges a gap among them: it has to be newer than what came before the gap.
        if isBroken || depths[index.offset].pending.count >= Self.pendingLimit {
            depths[index.offset].pending = []
        }
        depths[index.offset].pending.append(change)
        if core.trackers[index.offset].phase == .idle {
            core.trackers[index.offset].phase = .scheduled(at: time)
        }
        core.needsImages = true
    }
}
