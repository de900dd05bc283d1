import Instruments
import MarketData

/// A book message of V5 besides its levels.
struct BybitBookMessage {
    var stream: BybitSession.Stream
    var updateID: Int64
    var isImage: Bool
    var venueTime: Timestamp?
}

extension BybitSession {
    /// `data` of `orderbook`: `s, b, a, u, seq`.
    mutating func readBook(
        _ scanner: inout JSONScanner, _ message: BybitMessage, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        guard let index = instrument(of: message, in: scanner, for: .book, into: &output) else { return }
        let (body, start) = (scanner.index, output.levels.count)
        var (updateID, sides): (Int64?, Int) = (nil, 0)
        try atFinalScale(index) { session throws(ScanError) in
            output.levels.removeLast(output.levels.count - start)
            scanner.index = body
            (updateID, sides) = (nil, 0)
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "u") {
                    updateID = try scanner.integer()
                } else if scanner.equals(key, "b") || scanner.equals(key, "a") {
                    sides += 1
                    let side: BookSide = scanner.equals(key, "b") ? .bid : .ask
                    try session.readLevels(&scanner, side, index, into: &output.levels)
                } else {
                    try scanner.skip()
                }
            }
        }
        guard let updateID, updateID >= 0, sides == 2 else { throw .malformed }
        let stream = Stream(connection: message.connection, depth: message.topic.depth)
        let book = BybitBookMessage(
            stream: stream, updateID: updateID, isImage: message.isSnapshot || updateID == 1,
            venueTime: message.venueTime)
        if book.isImage {
            takeImage(book, index, from: start, at: time, into: &output)
        } else {
            takeChange(book, index, from: start, at: time, into: &output)
        }
    }

    /// `[["price","size"],…]`.
    @inline(__always)
    func readLevels(
        _ scanner: inout JSONScanner, _ side: BookSide, _ index: InstrumentIndex,
        into levels: inout [BookLevelChange]
    ) throws(ScanError) {
        if try scanner.takeNull() { return }
        let (priceForm, sizeForm) = core.forms[index.offset]
        try scanner.array { scanner throws(ScanError) in
            try scanner.expect(0x5B)
            let price = try scanner.decimal(priceForm)
            try scanner.expect(0x2C)
            let size = try scanner.decimal(sizeForm)
            while try scanner.take(0x2C) { try scanner.skip() }
            try scanner.expect(0x5D)
            guard price.units > 0, size.units >= 0 else { throw .malformed }
            levels.append(
                BookLevelChange(side: side, price: Price(price.units), size: Quantity(size.units)))
        }
    }

    /// Steps 1 and 3: the levels at the end of the output's are the whole book.
    ///
    /// While a book follows one stream, only a deeper one may take its place, and one as deep of another
    /// connection: in a recording that is the one after a break.
    mutating func takeImage(
        _ message: BybitBookMessage, _ index: InstrumentIndex, from start: Int, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let levels = output.levels[start...].filter { $0.size.rawValue > 0 }
        output.levels.removeLast(output.levels.count - start)
        let present = extras[index.offset].stream
        let least = present.connection == message.stream.connection ? present.depth + 1 : present.depth
        if core.trackers[index.offset].isFollowing, present != message.stream, message.stream.depth < least {
            output.counters.unexpected &+= 1
            return
        }
        extras[index.offset].stream = message.stream
        extras[index.offset].updateID = message.updateID
        func side(_ side: BookSide) -> [BookLevel] {
            levels.filter { $0.side == side }.map { BookLevel(price: $0.price, size: $0.size) }
        }
        core.trackers[index.offset].book.replace(bids: side(.bid), asks: side(.ask))
        core.trackers[index.offset].publishSnapshot(venueTime: message.venueTime, at: time, into: &output)
    }

    /// Step 2: the levels at the end of the output's are changes.
    @inline(__always)
    private mutating func takeChange(
        _ message: BybitBookMessage, _ index: InstrumentIndex, from start: Int, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        guard isOwn(message.stream, index, into: &output) else {
            output.levels.removeLast(output.levels.count - start)
            return
        }
        let last = extras[index.offset].updateID
        guard message.updateID == last &+ 1 || message.updateID == last else {
            output.levels.removeLast(output.levels.count - start)
            output.counters.gaps &+= 1
            core.lose(
                index, .sequenceGap, "expected \(last &+ 1), received \(message.updateID)", at: time,
                into: &output)
            return
        }
        extras[index.offset].updateID = message.updateID
        core.trackers[index.offset].book.apply(output.levels.span.extracting(start..<output.levels.count))
        publish(index, from: start, message.venueTime, at: time, into: &output)
    }

    /// Whether a change is of the stream that the book follows.
    @inline(__always)
    func isOwn(_ stream: Stream, _ index: InstrumentIndex, into output: inout VenueOutput) -> Bool {
        guard core.trackers[index.offset].isFollowing else { return false }
        if extras[index.offset].stream == stream { return true }
        output.counters.unexpected &+= 1
        return false
    }

    /// Says the changes that lie at the end of the output's levels and have been applied.
    @inline(__always)
    mutating func publish(
        _ index: InstrumentIndex, from start: Int, _ venueTime: Timestamp?, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let isStuck = core.trackers[index.offset].publishDelta(
            from: start, venueTime: venueTime, at: time, into: &output)
        if isStuck { core.lose(index, .crossed, "crossed for two messages", at: time, into: &output) }
    }

    /// Runs a read again at finer scales until all its numbers fit.
    @inline(__always)
    mutating func atFinalScale(
        _ index: InstrumentIndex, _ read: (inout BybitSession) throws(ScanError) -> Void
    ) throws(ScanError) {
        // Each turn adds places, of which there are at most 18 for prices and 18 for sizes.
        for _ in 0...36 {
            do throws(ScanError) {
                return try read(&self)
            } catch {
                guard core.refine(index, after: error) else { throw error }
            }
        }
        throw .malformed
    }
}
