import Instruments
import MarketData

/// An image of a book or a change of one, as it was read.
struct CryptoComBook {
    var levels: [RawLevel] = []
    var sequence: Int64?
    var previous: Int64?
    var venueTime: Timestamp?
}

extension CryptoComSession {
    /// `bids` and `asks`, of a change within `update`, with `t`, `u` and `pu`.
    func readBook(_ scanner: inout JSONScanner) throws(ScanError) -> CryptoComBook {
        var book = CryptoComBook()
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "update") {
                try scanner.object { scanner, key throws(ScanError) in
                    try readSide(&scanner, key, into: &book.levels)
                }
            } else if scanner.equals(key, "u") {
                book.sequence = try scanner.integer()
            } else if scanner.equals(key, "pu") {
                book.previous = try scanner.integer()
            } else if scanner.equals(key, "t") {
                book.venueTime = Timestamp(milliseconds: try scanner.integer())
            } else {
                try readSide(&scanner, key, into: &book.levels)
            }
        }
        return book
    }

    private func readSide(
        _ scanner: inout JSONScanner, _ key: JSONText, into levels: inout [RawLevel]
    ) throws(ScanError) {
        if try scanner.takeNull() { return }
        if scanner.equals(key, "bids") {
            try scanner.levels(.bid, into: &levels)
        } else if scanner.equals(key, "asks") {
            try scanner.levels(.ask, into: &levels)
        } else {
            try scanner.skip()
        }
    }

    /// Step 1 of the procedure.
    mutating func readImage(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, depth: Int64, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let image = try readBook(&scanner)
        depths[index.offset] = DepthState(
            sequence: image.sequence, depth: Int(exactly: max(0, depth)) ?? 0)
        try core.takeImage(image.levels, index, venueTime: image.venueTime, at: time, into: &output)
    }

    /// Step 2.
    mutating func readChange(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, depth: Int64, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let change = try readBook(&scanner)
        guard let sequence = change.sequence, let previous = change.previous else { throw .malformed }
        guard core.trackers[index.offset].isFollowing else {
            output.counters.staleDropped &+= 1
            return
        }
        let last = depths[index.offset].sequence
        if previous == last {
            depths[index.offset].sequence = sequence
            return try apply(change, index, at: time, into: &output)
        }
        if let last, sequence <= last {
            output.counters.staleDropped &+= 1
            guard depths[index.offset].stale.isTooLong(behind: last, at: time) else { return }
        }
        output.counters.gaps &+= 1
        let expected = last.map { "\($0)" } ?? "an image with a number"
        lose(index, .sequenceGap, "expected \(expected), received \(previous)", at: time, into: &output)
    }

    /// Step 3.
    private mutating func apply(
        _ change: CryptoComBook, _ index: InstrumentIndex, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        let start = output.levels.count
        output.levels += try core.scale(change.levels, index)
        core.trackers[index.offset].book.apply(output.levels.span.extracting(start..<output.levels.count))
        let depth = depths[index.offset].depth
        if depth > 0 {
            dropDeepest(.bid, index, depth, into: &output)
            dropDeepest(.ask, index, depth, into: &output)
        }
        let isStuck = core.trackers[index.offset].publishDelta(
            from: start, venueTime: change.venueTime, at: time, into: &output)
        if isStuck { lose(index, .crossed, "crossed for two messages", at: time, into: &output) }
    }

    /// Drops what is deeper than the subscription and says so downstream, which does not know the depth.
    private mutating func dropDeepest(
        _ side: BookSide, _ index: InstrumentIndex, _ depth: Int, into output: inout VenueOutput
    ) {
        let book = core.trackers[index.offset].book
        let ladder = side == .bid ? book.bids : book.asks
        guard ladder.count > depth else { return }
        for rank in depth..<ladder.count {
            let price = ladder.level(at: rank).price
            let change = BookLevelChange(side: side, price: price, size: .zero)
            output.levels.append(change)
            core.trackers[index.offset].book.apply(change)
        }
    }
}
