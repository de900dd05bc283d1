import Instruments
import MarketData

/// A change of a book that waits for its image.
struct BitstampDiff: Sendable {
    let venueTime: Timestamp
    let levels: [BookLevelChange]
    let priceScale: Scale
    let sizeScale: Scale
}

/// The whole book as `GET /api/v2/order_book/<pair>/` gives it.
struct BitstampImage {
    let venueTime: Timestamp
    let levels: [BookLevelChange]
}

extension BitstampSession {
    /// `data` of `diff_order_book_<pair>`: `microtimestamp`, `bids` and `asks`.
    mutating func readDiff(
        _ message: BitstampMessage, _ scanner: inout JSONScanner, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        guard let symbol = message.symbol("diff_order_book_", in: scanner) else {
            // Another channel, which nobody has asked for.
            output.counters.unexpected &+= 1
            return
        }
        let found = core.instrument(symbol)
        grow()
        guard let index = found, core.wants(.book, index) else {
            output.counters.unexpected &+= 1
            return
        }
        guard let data = message.data else { throw .malformed }
        let start = output.levels.count
        let venueTime = try readLevels(&scanner, from: data, index, into: &output)
        take(venueTime, index, from: start, at: time, into: &output)
    }

    /// Puts the levels of an object with `bids` and `asks` at the end of the output's.
    ///
    /// - Returns: Its time.
    private mutating func readLevels(
        _ scanner: inout JSONScanner, from body: Int, _ index: InstrumentIndex,
        into output: inout VenueOutput
    ) throws(ScanError) -> Timestamp {
        var micros: Int64?
        var sides = 0
        try core.readingAgain(index, into: &output) { forms, levels throws(ScanError) in
            scanner.index = body
            sides = 0
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "microtimestamp") {
                    micros = try scanner.integer()
                } else if scanner.equals(key, "bids") || scanner.equals(key, "asks") {
                    sides += 1
                    let side: BookSide = scanner.equals(key, "bids") ? .bid : .ask
                    try scanner.levelPairs(side, forms, into: &levels)
                } else {
                    try scanner.skip()
                }
            }
        }
        guard sides == 2, let micros, micros > 0, let time = Timestamp(bitstamp: micros) else {
            throw .malformed
        }
        return time
    }

    /// Decides what a change is to its book; its levels lie at the end of the output's.
    private mutating func take(
        _ venueTime: Timestamp, _ index: InstrumentIndex, from start: Int, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let offset = index.offset
        guard core.trackers[offset].isFollowing else {
            return wait(venueTime, index, from: start, into: &output)
        }
        if venueTime <= diffs[offset].last, !diffs[offset].hasChanged {
            output.counters.staleDropped &+= 1
            output.levels.removeLast(output.levels.count - start)
            let last = diffs[offset].last
            guard diffs[offset].stale.isTooLong(behind: last.nanoseconds, at: time) else { return }
            output.counters.gaps &+= 1
            return lose(
                index, .sequenceGap, "changes are older than their image", at: time, into: &output)
        }
        // The same time again is the same change, or another one of that instant.
        guard venueTime >= diffs[offset].last else {
            output.levels.removeLast(output.levels.count - start)
            output.counters.gaps &+= 1
            return lose(
                index, .sequenceGap, "a change is older than the one before it", at: time, into: &output)
        }
        diffs[offset].last = venueTime
        diffs[offset].hasChanged = true
        let isStuck = core.takeBookChanges(index, from: start, venueTime: venueTime, at: time, into: &output)
        if isStuck { lose(index, .crossed, "crossed for two messages", at: time, into: &output) }
    }

    private mutating func wait(
        _ venueTime: Timestamp, _ index: InstrumentIndex, from start: Int, into output: inout VenueOutput
    ) {
        let book = core.trackers[index.offset].book
        if diffs[index.offset].pending.count >= BitstampSession.pendingLimit {
            // What is forgotten has to be in the image.
            diffs[index.offset].last = diffs[index.offset].pending.map(\.venueTime).max() ?? .zero
            diffs[index.offset].pending.removeAll()
        }
        diffs[index.offset].pending.append(
            BitstampDiff(
                venueTime: venueTime, levels: Array(output.levels[start...]), priceScale: book.priceScale,
                sizeScale: book.sizeScale))
        output.levels.removeLast(output.levels.count - start)
    }

    // MARK: - Image

    /// Reads the answer to a request for a whole book, its levels at the end of the output's.
    mutating func readImage(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, into output: inout VenueOutput
    ) throws(ScanError) -> BitstampImage {
        let start = output.levels.count
        let body = scanner.index
        let time = try readLevels(&scanner, from: body, index, into: &output)
        let levels = Array(output.levels[start...])
        output.levels.removeLast(output.levels.count - start)
        return BitstampImage(venueTime: time, levels: levels)
    }

    /// Steps 2 and 3: takes the image if it has all that was seen before it, then applies what waited.
    mutating func takeImage(
        _ image: BitstampImage, _ index: InstrumentIndex, at time: Timestamp, into output: inout VenueOutput
    ) {
        let offset = index.offset
        guard takesImage(index) else { return }
        let pending = diffs[offset].pending
        let needed = max(diffs[offset].last, pending.first?.venueTime ?? .zero)
        guard image.venueTime >= needed else {
            let since = diffs[offset].refusedSince ?? time
            diffs[offset].refusedSince = since
            if time.nanoseconds(since: since) > Self.memory {
                // What is forgotten was said before now: the image after the next change has it.
                diffs[offset].last = image.venueTime
                diffs[offset].pending.removeAll()
                diffs[offset].refusedSince = nil
            }
            return retryImage(index, at: time)
        }
        diffs[offset] = DiffState(isSubscribed: diffs[offset].isSubscribed, last: image.venueTime)
        let start = output.levels.count
        output.levels += image.levels
        core.takeWholeBook(index, from: start, venueTime: image.venueTime, at: time, into: &output)
        for diff in pending {
            let start = output.levels.count
            guard append(diff, index, into: &output) else {
                return lose(index, .numberOutOfRange, "a level does not fit", at: time, into: &output)
            }
            take(diff.venueTime, index, from: start, at: time, into: &output)
        }
    }

    /// Whether an answer with the whole book may become it: before the subscription is confirmed it is one
    /// that was asked for on an earlier connection.
    private func takesImage(_ index: InstrumentIndex) -> Bool {
        core.takesImage(index)
            && (diffs[index.offset].isSubscribed || core.configuration.discoversInstruments)
    }

    mutating func retryImage(_ index: InstrumentIndex, at time: Timestamp) {
        guard takesImage(index) else { return }
        let delay = core.governor.delay(attempts: core.trackers[index.offset].attempts)
        core.trackers[index.offset].phase = .scheduled(at: time.adding(nanoseconds: max(delay, 1)))
    }

    /// Puts a waiting change's levels at the end of the output's, at the book's scales.
    private func append(
        _ diff: BitstampDiff, _ index: InstrumentIndex, into output: inout VenueOutput
    ) -> Bool {
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
