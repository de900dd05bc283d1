import Instruments
import MarketData

/// The numbers of one `depthUpdate`, in the venue's own words.
struct BinanceDiffHeader: Sendable {
    /// `U`, first update in the event.
    var firstUpdateID: Int64 = -1
    /// `u`, last update in the event.
    var lastUpdateID: Int64 = -1
    /// `pu`, last update of the event before; futures only.
    var previousLastUpdateID: Int64?
    /// `T`, or `E` where there is no `T`.
    var venueTime: Timestamp?
}

/// A `depthUpdate` that waits for its book's snapshot.
struct BinanceDiff: Sendable {
    var header: BinanceDiffHeader
    var levels: [BookLevelChange]
    var priceScale: Scale
    var sizeScale: Scale
}

extension BinanceSession {
    /// Reads a `depthUpdate` into the output's levels, then lets it wait, drops it, or applies it.
    mutating func readDepth(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        let body = scanner.index
        let start = output.levels.count
        var attempt = 0
        while true {
            var index: InstrumentIndex?
            do throws(ScanError) {
                scanner.index = body
                guard let header = try readDiff(&scanner, &index, into: &output) else { return }
                guard let index else { throw .malformed }
                return take(header, index, from: start, at: time, into: &output)
            } catch {
                // Finer numbers than any before: the whole event again at the finer scale. Each turn adds
                // places, of which there are at most 18 for prices and 18 for sizes.
                output.levels.removeLast(output.levels.count - start)
                attempt += 1
                guard attempt <= 36, let index, core.refine(index, after: error) else { throw error }
            }
        }
    }

    /// A `depthUpdate` whose keys come as the venue writes them, its levels at the end of the output's.
    ///
    /// Returns `nil` for any other, and then the levels are worth nothing.
    @inline(__always)
    private mutating func diffInOrder(
        _ scanner: inout JSONScanner, _ index: inout InstrumentIndex?, into output: inout VenueOutput
    ) throws(ScanError) -> BinanceDiffHeader? {
        guard scanner.takeExactly("{\"e\":\"depthUpdate\",\"E\":") else { return nil }
        var header = BinanceDiffHeader()
        header.venueTime = Timestamp(milliseconds: try scanner.integer())
        if scanner.takeExactly(",\"T\":") {
            header.venueTime = Timestamp(milliseconds: try scanner.integer()) ?? header.venueTime
        }
        guard scanner.takeExactly(",\"s\":") else { return nil }
        let symbol = try scanner.text()
        guard let found = instrument(scanner.bytes(symbol)), core.wants(.book, found) else { return nil }
        index = found
        guard scanner.takeExactly(",\"U\":") else { return nil }
        header.firstUpdateID = try scanner.integer()
        guard scanner.takeExactly(",\"u\":") else { return nil }
        header.lastUpdateID = try scanner.integer()
        if scanner.takeExactly(",\"pu\":") { header.previousLastUpdateID = try scanner.integer() }
        guard scanner.takeExactly(",\"b\":") else { return nil }
        try readLevels(&scanner, .bid, found, into: &output.levels)
        guard scanner.takeExactly(",\"a\":") else { return nil }
        try readLevels(&scanner, .ask, found, into: &output.levels)
        guard scanner.takeExactly("}") else { return nil }
        guard isComplete(header) else { throw .malformed }
        return header
    }

    private func isComplete(_ header: BinanceDiffHeader) -> Bool {
        header.firstUpdateID >= 0 && header.lastUpdateID >= header.firstUpdateID
            && (!isFutures || header.previousLastUpdateID != nil)
    }

    /// Returns `nil` for an instrument that nobody asked for.
    private mutating func readDiff(
        _ scanner: inout JSONScanner, _ index: inout InstrumentIndex?, into output: inout VenueOutput
    ) throws(ScanError) -> BinanceDiffHeader? {
        let body = scanner.index
        let start = output.levels.count
        if let header = try diffInOrder(&scanner, &index, into: &output) { return header }
        scanner.index = body
        output.levels.removeLast(output.levels.count - start)
        var header = BinanceDiffHeader()
        var found: InstrumentIndex?
        var isUnknown = false
        var late: [(side: BookSide, offset: Int)] = []
        var eventTime: Timestamp?
        try scanner.object { scanner, key throws(ScanError) in
            switch scanner.single(key) {
            case 0x73:  // s
                let text = try scanner.text()
                found = instrument(scanner.bytes(text))
                isUnknown = found == nil
                index = found
            case 0x55: header.firstUpdateID = try scanner.integer()  // U
            case 0x75: header.lastUpdateID = try scanner.integer()  // u
            case 0x62, 0x61:  // b, a
                let side: BookSide = scanner.single(key) == 0x62 ? .bid : .ask
                if let found {
                    try readLevels(&scanner, side, found, into: &output.levels)
                } else {
                    late.append((side, scanner.index))
                    try scanner.skip()
                }
            case 0x45: eventTime = Timestamp(milliseconds: try scanner.integer())  // E
            case 0x54: header.venueTime = Timestamp(milliseconds: try scanner.integer())  // T
            default:
                if scanner.equals(key, "pu") {
                    header.previousLastUpdateID = try scanner.integer()
                } else {
                    try scanner.skip()
                }
            }
        }
        guard let found else {
            guard isUnknown else { throw .malformed }
            output.counters.unexpected &+= 1
            return nil
        }
        for (side, offset) in late {
            scanner.index = offset
            try readLevels(&scanner, side, found, into: &output.levels)
        }
        guard isComplete(header) else { throw .malformed }
        header.venueTime = header.venueTime ?? eventTime
        guard core.wants(.book, found) else {
            output.counters.unexpected &+= 1
            return nil
        }
        return header
    }

    /// `[["price","size"],…]`; further elements of a level are skipped.
    @inline(__always)
    func readLevels(
        _ scanner: inout JSONScanner, _ side: BookSide, _ index: InstrumentIndex,
        into levels: inout [BookLevelChange]
    ) throws(ScanError) {
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

    /// Decides what an event is to its book.
    ///
    /// Its levels lie at the end of the output's.
    @inline(__always)
    mutating func take(
        _ header: BinanceDiffHeader, _ index: InstrumentIndex, from start: Int, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        guard core.trackers[index.offset].isFollowing else {
            wait(header, index, from: start, at: time, into: &output)
            return
        }
        switch continuity(of: header, index) {
        case .next:
            apply(header, index, from: start, at: time, into: &output)
        case .old:
            output.counters.staleDropped &+= 1
            output.levels.removeLast(output.levels.count - start)
            let last = depths[index.offset].lastUpdateID
            guard depths[index.offset].stale.isTooLong(behind: last, at: time) else { return }
            output.counters.gaps &+= 1
            lose(index, .sequenceGap, "the venue counts anew below \(last)", at: time, into: &output)
        case .gap:
            let expected = depths[index.offset].lastUpdateID
            output.counters.gaps &+= 1
            let received = header.previousLastUpdateID ?? header.firstUpdateID
            lose(
                index, .sequenceGap, "expected \(isFutures ? expected : expected + 1), received \(received)",
                at: time,
                into: &output)
            // The event that shows the gap is the first to wait for the new snapshot.
            wait(header, index, from: start, at: time, into: &output)
        }
    }

    private enum Continuity { case next, old, gap }

    /// Steps 3 and 4 of the procedure.
    @inline(__always)
    private func continuity(of header: BinanceDiffHeader, _ index: InstrumentIndex) -> Continuity {
        let last = depths[index.offset].lastUpdateID
        let isFirst = depths[index.offset].isFirst
        if isFutures {
            if header.previousLastUpdateID == last, !isFirst || header.lastUpdateID >= last {
                return .next
            }
            if isFirst {
                if header.lastUpdateID < last { return .old }
                return header.firstUpdateID <= last ? .next : .gap
            }
            return header.lastUpdateID <= last ? .old : .gap
        }
        if header.lastUpdateID <= last { return .old }
        if header.firstUpdateID == last + 1 { return .next }
        return isFirst && header.firstUpdateID <= last + 1 ? .next : .gap
    }

    @inline(__always)
    private mutating func apply(
        _ header: BinanceDiffHeader, _ index: InstrumentIndex, from start: Int, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        depths[index.offset].lastUpdateID = header.lastUpdateID
        depths[index.offset].isFirst = false
        core.trackers[index.offset].book.apply(output.levels.span.extracting(start..<output.levels.count))
        let isStuck = core.trackers[index.offset].publishDelta(
            from: start, venueTime: header.venueTime, at: time, into: &output)
        if isStuck { lose(index, .crossed, "crossed for two messages", at: time, into: &output) }
    }

    private mutating func wait(
        _ header: BinanceDiffHeader, _ index: InstrumentIndex, from start: Int, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let book = core.trackers[index.offset].book
        // A number that goes back says that the one before it was wrong: no image would reach it.
        let isBack = depths[index.offset].pending.last.map { header.lastUpdateID < $0.header.lastUpdateID }
        if isBack ?? false || depths[index.offset].pending.count >= BinanceSession.pendingLimit {
            depths[index.offset].pending.removeAll()
        }
        depths[index.offset].pending.append(
            BinanceDiff(
                header: header, levels: Array(output.levels[start...]), priceScale: book.priceScale,
                sizeScale: book.sizeScale))
        output.levels.removeLast(output.levels.count - start)
        // The first event of a book that was never fetched asks for its snapshot at once.
        core.needsImages = true
        switch core.trackers[index.offset].phase {
        case .idle: core.trackers[index.offset].phase = .scheduled(at: time)
        case .scheduled where core.trackers[index.offset].attempts == 0:
            core.trackers[index.offset].phase = .scheduled(at: time)
        default: break
        }
    }
}
