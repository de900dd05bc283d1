import Instruments
import MarketData

/// Where the parts of a book message lie and what it says besides levels.
struct KrakenBookMessage {
    var index: InstrumentIndex
    var isSnapshot: Bool
    var checksum: UInt32?
    var venueTime: Timestamp?
}

extension KrakenSession {
    // MARK: - v1

    /// The dictionaries of a `book-<depth>` message, from the scanner's place to the channel's name.
    mutating func readV1Book(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let body = scanner.index
        var isSnapshot = false
        var checksum: UInt32?
        var venueTime: Timestamp?
        var isDone = false
        let message = KrakenBookMessage(index: index, isSnapshot: false, checksum: nil, venueTime: nil)
        // The kind and the checksum are known only when the levels have been read: they are filled in
        // afterwards.
        try readLevels(message.index, into: &output) { session, levels throws(ScanError) in
            scanner.index = body
            isDone = false
            while !isDone {
                try scanner.object { scanner, key throws(ScanError) in
                    if scanner.equals(key, "a") || scanner.equals(key, "as") {
                        isSnapshot = key.count == 2
                        try session.readV1Levels(&scanner, .ask, index, &venueTime, into: &levels)
                    } else if scanner.equals(key, "b") || scanner.equals(key, "bs") {
                        isSnapshot = key.count == 2
                        try session.readV1Levels(&scanner, .bid, index, &venueTime, into: &levels)
                    } else if scanner.equals(key, "c") {
                        guard let value = UInt32(exactly: try scanner.integer()) else { throw .malformed }
                        checksum = value
                    } else {
                        try scanner.skip()
                    }
                }
                try scanner.expect(0x2C)
                isDone = try scanner.peek() != 0x7B
            }
        } then: { session, start, output throws(ScanError) in
            // An update without a checksum proves nothing.
            guard isSnapshot || checksum != nil else { throw .malformed }
            session.apply(
                KrakenBookMessage(
                    index: index, isSnapshot: isSnapshot, checksum: checksum, venueTime: venueTime),
                from: start, at: time, into: &output)
        }
    }

    /// Reads `[["price","volume","time"(,"r")],…]`.
    @inline(__always)
    private mutating func readV1Levels(
        _ scanner: inout JSONScanner, _ side: BookSide, _ index: InstrumentIndex,
        _ venueTime: inout Timestamp?,
        into levels: inout [BookLevelChange]
    ) throws(ScanError) {
        let forms = core.forms[index.offset]
        try scanner.array { scanner throws(ScanError) in
            try scanner.expect(0x5B)
            let price = try scanner.decimal(forms.price)
            try scanner.expect(0x2C)
            let size = try scanner.decimal(forms.size)
            try scanner.expect(0x2C)
            // Times of levels come in any order; the message is as new as the newest.
            if let time = try scanner.secondsTime(), time > venueTime ?? .zero { venueTime = time }
            while try scanner.take(0x2C) { try scanner.skip() }
            try scanner.expect(0x5D)
            try append(side, price, size, to: &levels)
        }
    }

    // MARK: - Both

    @inline(__always)
    mutating func append(
        _ side: BookSide, _ price: ScannedDecimal, _ size: ScannedDecimal, to levels: inout [BookLevelChange]
    ) throws(ScanError) {
        guard price.units > 0, size.units >= 0 else { throw .malformed }
        levels.append(
            BookLevelChange(side: side, price: Price(price.units), size: Quantity(size.units)))
        places.append((price.places, size.places))
    }

    /// Reads levels to the end of the output's, again at finer scales when a number has more places than any
    /// before.
    @inline(__always)
    mutating func readLevels(
        _ index: InstrumentIndex, into output: inout VenueOutput,
        _ body: (inout KrakenSession, inout [BookLevelChange]) throws(ScanError) -> Void,
        then finish: (inout KrakenSession, Int, inout VenueOutput) throws(ScanError) -> Void
    ) throws(ScanError) {
        let start = output.levels.count
        for _ in 0...36 {
            places.removeAll(keepingCapacity: true)
            do throws(ScanError) {
                try body(&self, &output.levels)
            } catch {
                output.levels.removeLast(output.levels.count - start)
                guard refine(index, after: error) else { throw error }
                continue
            }
            return try finish(&self, start, &output)
        }
        throw .malformed
    }

    /// Grows the scales and keeps in mind with how many places the levels so far were sent.
    private mutating func refine(_ index: InstrumentIndex, after error: ScanError) -> Bool {
        let old = core.scales(of: index)
        guard core.refine(index, after: error) else { return false }
        extras[index.offset].checksum.refined(from: old, book: core.trackers[index.offset].book)
        return true
    }

    /// Steps 2 to 4 of the procedure.
    ///
    /// The levels lie at the end of the output's, their places in `places`.
    @inline(__always)
    mutating func apply(
        _ message: KrakenBookMessage, from start: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        let offset = message.index.offset
        if message.isSnapshot {
            takeSnapshot(message, from: start, at: time, into: &output)
            return
        }
        guard core.trackers[offset].isFollowing else {
            output.levels.removeLast(output.levels.count - start)
            return
        }
        takeLevels(message.index, from: start, in: output)
        truncate(offset, into: &output)
        guard isRight(message, into: &output) else {
            output.levels.removeLast(output.levels.count - start)
            lose(
                message.index, .checksumMismatch, "the ten best levels are not the venue's", at: time,
                into: &output)
            return
        }
        let isStuck = core.trackers[offset].publishDelta(
            from: start, venueTime: message.venueTime, at: time, into: &output)
        if isStuck { lose(message.index, .crossed, "crossed for two messages", at: time, into: &output) }
    }

    /// Applies the levels at the end of the output's.
    @inline(__always)
    private mutating func takeLevels(
        _ index: InstrumentIndex, from start: Int, in output: borrowing VenueOutput
    ) {
        let levels = output.levels.span.extracting(start..<output.levels.count)
        core.trackers[index.offset].book.apply(levels)
        notePlaces(index, of: levels)
    }

    /// Makes the levels at the end of the output's the whole book.
    private mutating func takeImage(
        _ index: InstrumentIndex, from start: Int, in output: borrowing VenueOutput
    ) {
        let levels = output.levels.span.extracting(start..<output.levels.count)
        var sides: (bids: [BookLevel], asks: [BookLevel]) = ([], [])
        for position in levels.indices {
            let level = BookLevel(price: levels[position].price, size: levels[position].size)
            if levels[position].side == .bid { sides.bids.append(level) } else { sides.asks.append(level) }
        }
        core.trackers[index.offset].book.replace(bids: sides.bids, asks: sides.asks)
        notePlaces(index, of: levels)
    }

    /// Keeps in mind with how many places levels were sent.
    @inline(__always)
    private mutating func notePlaces(_ index: InstrumentIndex, of levels: Span<BookLevelChange>) {
        let scales = core.scales(of: index)
        for position in levels.indices {
            extras[index.offset].checksum.note(
                levels[position], pricePlaces: places[position].price, sizePlaces: places[position].size,
                scales: scales)
        }
    }

    private mutating func takeSnapshot(
        _ message: KrakenBookMessage, from start: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        let offset = message.index.offset
        extras[offset].checksum.removeAll()
        takeImage(message.index, from: start, in: output)
        output.levels.removeLast(output.levels.count - start)
        if extras[offset].depth == 0 {
            let count = max(core.trackers[offset].book.bidCount, core.trackers[offset].book.askCount)
            extras[offset].depth = KrakenSession.depths.first { $0 >= count } ?? count
        }
        core.trackers[offset].book.truncate(to: extras[offset].depth)
        guard isRight(message, into: &output) else {
            // Not followed before, or replaced: in both cases the old book is gone.
            lose(message.index, .checksumMismatch, "the snapshot is not the venue's", at: time, into: &output)
            return
        }
        core.trackers[offset].publishSnapshot(venueTime: message.venueTime, at: time, into: &output)
    }

    @inline(__always)
    private mutating func isRight(_ message: KrakenBookMessage, into output: inout VenueOutput) -> Bool {
        guard let expected = message.checksum else { return true }
        let offset = message.index.offset
        output.counters.checksums &+= 1
        guard extras[offset].checksum.value(of: core.trackers[offset].book) == expected else { return false }
        output.counters.checksumsRight &+= 1
        return true
    }

    /// Drops what is deeper than the subscription and says so downstream, which does not know the depth.
    @inline(__always)
    private mutating func truncate(_ offset: Int, into output: inout VenueOutput) {
        let depth = extras[offset].depth
        guard depth > 0 else { return }
        if core.trackers[offset].book.bidCount > depth { dropDeepest(.bid, offset, depth, into: &output) }
        if core.trackers[offset].book.askCount > depth { dropDeepest(.ask, offset, depth, into: &output) }
    }

    private mutating func dropDeepest(
        _ side: BookSide, _ offset: Int, _ depth: Int, into output: inout VenueOutput
    ) {
        let book = core.trackers[offset].book
        let ladder = side == .bid ? book.bids : book.asks
        for rank in depth..<ladder.count {
            let price = ladder.level(at: rank).price
            output.levels.append(BookLevelChange(side: side, price: price, size: .zero))
            extras[offset].checksum.forget(price, side)
        }
        core.trackers[offset].book.truncate(to: depth)
    }
}

extension JSONScanner {
    /// Seconds with a fraction, `"1618678142.557535"`; `nil` for a number that is no time.
    @inline(__always)
    mutating func secondsTime() throws(ScanError) -> Timestamp? {
        // Ten digits, the point and six digits, in quotes: all that the venue sends.
        if index &+ 20 <= count, base[index] == 0x22, base[index &+ 11] == 0x2E, base[index &+ 18] == 0x22 {
            let (first, last) = (word(at: index &+ 1), word(at: index &+ 12))
            let tens = base[index &+ 9] &- 0x30
            let ones = base[index &+ 10] &- 0x30
            if first.leadingDigits == 8, tens < 10, ones < 10, last.leadingDigits == 6,
                base[index &+ 1] < 0x39
            {
                let seconds =
                    JSONWord.number(first.digits(8), 8) &* 100 &+ Int64(tens) &* 10 &+ Int64(ones)
                index &+= 19
                return Timestamp(
                    nanoseconds: (seconds &* 1_000_000 &+ JSONWord.number(last.digits(6), 6)) &* 1_000)
            }
        }
        return try anyTime()
    }

    private mutating func anyTime() throws(ScanError) -> Timestamp? {
        guard let number = try anyDecimal(), let nanos = Scale(9) else { return nil }
        do throws(DecimalError) {
            let exact = number.normalized
            guard exact.scale <= nanos else { return nil }
            return Timestamp(nanoseconds: try exact.rescaled(to: nanos).units)
        } catch {
            return nil
        }
    }
}
