import Instruments
import MarketData

extension BitfinexSession {
    /// The image, or one change, of a book; the scanner stands on the payload.
    mutating func readBook(
        _ scanner: inout JSONScanner, _ source: Source, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        let index = source.topic.index
        let body = scanner.index
        let start = output.levels.count
        for _ in 0...36 {
            do throws(ScanError) {
                scanner.index = body
                let isList = try readRows(&scanner, index, into: &output.levels)
                return try take(source, isList: isList, from: start, at: time, into: &output)
            } catch {
                output.levels.removeLast(output.levels.count - start)
                guard core.refine(index, after: error) else { throw error }
            }
        }
        throw .malformed
    }

    /// `[[price, count, amount],…]` or one such row; returns whether it was a list.
    private func readRows(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, into levels: inout [BookLevelChange]
    ) throws(ScanError) -> Bool {
        let body = scanner.index
        try scanner.expect(0x5B)
        let first = try scanner.peek()
        scanner.index = body
        guard first == 0x5B || first == 0x5D else {
            try readRow(&scanner, index, into: &levels)
            return false
        }
        try scanner.array { scanner throws(ScanError) in try readRow(&scanner, index, into: &levels) }
        return true
    }

    @inline(__always)
    private func readRow(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, into levels: inout [BookLevelChange]
    ) throws(ScanError) {
        let (priceForm, sizeForm) = core.forms[index.offset]
        try scanner.expect(0x5B)
        let price = try scanner.decimal(priceForm).units
        try scanner.expect(0x2C)
        let count = try scanner.integer()
        try scanner.expect(0x2C)
        let amount = try scanner.decimal(sizeForm).units
        while try scanner.take(0x2C) { try scanner.skip() }
        try scanner.expect(0x5D)
        guard price > 0, count >= 0, amount != 0, amount != .min else { throw .malformed }
        levels.append(
            BookLevelChange(
                side: amount > 0 ? .bid : .ask, price: Price(price),
                size: Quantity(count == 0 ? 0 : abs(amount))))
    }

    /// Applies the levels at the end of the output's.
    private mutating func take(
        _ source: Source, isList: Bool, from start: Int, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        let index = source.topic.index
        let isFollowing = core.trackers[index.offset].isFollowing
        if isList, !isFollowing || !links[source.connection].sendsBulk {
            return takeImage(index, from: start, at: time, into: &output)
        }
        guard isFollowing else {
            output.levels.removeLast(output.levels.count - start)
            return
        }
        // On a connection of ours that the venue does not number, nothing would show a lost change.
        if !source.isNumbered, links[source.connection].isUp { throw .malformed }
        core.trackers[index.offset].book.apply(output.levels.span.extracting(start..<output.levels.count))
        _ = core.trackers[index.offset].publishDelta(from: start, venueTime: nil, at: time, into: &output)
        let isCrossed = core.trackers[index.offset].book.isCrossed
        if places[index.offset].crossed.isStuck(isCrossed, at: time) {
            lose(index, .crossed, "crossed for more than a second", at: time, into: &output)
        }
    }

    /// Makes the levels at the end of the output's the whole book.
    private mutating func takeImage(
        _ index: InstrumentIndex, from start: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        var (bids, asks): ([BookLevel], [BookLevel]) = ([], [])
        for change in output.levels[start...] where change.size.rawValue > 0 {
            let level = BookLevel(price: change.price, size: change.size)
            if change.side == .bid { bids.append(level) } else { asks.append(level) }
        }
        output.levels.removeLast(output.levels.count - start)
        core.trackers[index.offset].book.replace(bids: bids, asks: asks)
        places[index.offset].crossed.reset()
        core.trackers[index.offset].publishSnapshot(venueTime: nil, at: time, into: &output)
    }

    /// Step 5: what the venue's checksum says of a book that is followed.
    mutating func compare(
        _ index: InstrumentIndex, with expected: Int64, at time: Timestamp, into output: inout VenueOutput
    ) {
        guard core.trackers[index.offset].isFollowing else { return }
        output.counters.checksums &+= 1
        let book = core.trackers[index.offset].book
        guard expected == Int64(Int32(bitPattern: BitfinexChecksum.value(of: book))) else {
            return lose(
                index, .checksumMismatch, "the 25 best levels are not the venue's", at: time, into: &output)
        }
        output.counters.checksumsRight &+= 1
    }
}
