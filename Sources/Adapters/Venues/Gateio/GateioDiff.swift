import Instruments
import MarketData

/// A change of a book that waits for its image, or is applied.
struct GateioDiff: Sendable {
    /// `U`, the first update in the message.
    var firstID: Int64 = -1
    /// `u`, the last one.
    var lastID: Int64 = -1
    var stream = GateioStream.updates
    /// Whether it is an image.
    var isFull = false
    /// The venue's `t`.
    var venueTime: Timestamp?
    var levels: [BookLevelChange] = []
    /// Decimal places of the prices in `levels`.
    var priceScale = Scale.zero
    /// Decimal places of the sizes in `levels`.
    var sizeScale = Scale.zero
}

extension JSONScanner {
    /// Reads levels as spot and futures write them: pairs, or objects of `p` and `s`.
    mutating func gateioLevels(
        _ side: BookSide, _ forms: InstrumentForms, into levels: inout [BookLevelChange]
    ) throws(ScanError) {
        if try takeNull() { return }
        let body = index
        try expect(0x5B)
        let isObjects = try peek() == 0x7B
        index = body
        if isObjects {
            try objectLevels(side, ("p", "s"), forms, into: &levels)
        } else {
            try pairLevels(side, forms, into: &levels)
        }
    }
}

extension GateioSession {
    /// A message of `order_book_update`, or of `obu`: `t, s, U, u, b, a` and perhaps `full`.
    mutating func readBook(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        guard let index = try instrument(&scanner, .book, ["s"], into: &output) else { return }
        let body = scanner.index
        let diff: GateioDiff = try core.atFinalScales(index) { forms throws(ScanError) in
            scanner.index = body
            var diff = GateioDiff(priceScale: forms.price.scale, sizeScale: forms.size.scale)
            try scanner.object { scanner, key throws(ScanError) in
                switch scanner.single(key) {
                case 0x55: diff.firstID = try scanner.integer()  // U
                case 0x75: diff.lastID = try scanner.integer()  // u
                case 0x62: try scanner.gateioLevels(.bid, forms, into: &diff.levels)  // b
                case 0x61: try scanner.gateioLevels(.ask, forms, into: &diff.levels)  // a
                case 0x73:  // s
                    diff.stream = GateioStream(scanner.string(try scanner.text()) ?? "")
                case 0x74: diff.venueTime = Timestamp(milliseconds: try scanner.integer())  // t
                default:
                    if scanner.equals(key, "full") {
                        diff.isFull = try scanner.bool()
                    } else {
                        try scanner.skip()
                    }
                }
            }
            return diff
        }
        guard diff.lastID >= 0, diff.isFull || (diff.firstID >= 0 && diff.firstID <= diff.lastID) else {
            throw .malformed
        }
        if diff.isFull {
            let stream = depths[index.offset].stream
            guard
                !core.trackers[index.offset].isFollowing || stream == diff.stream
                    || stream.depth < diff.stream.depth
            else { return }
            depths[index.offset] = DepthState(lastID: diff.lastID, isFirst: true, stream: diff.stream)
            core.publishImage(diff.levels, of: index, venueTime: diff.venueTime, at: time, into: &output)
        } else {
            take(diff, index, at: time, into: &output)
        }
    }

    /// Decides what a message is to its book: steps 3 and 4 of the procedure.
    mutating func take(
        _ diff: GateioDiff, _ index: InstrumentIndex, at time: Timestamp, into output: inout VenueOutput
    ) {
        guard core.trackers[index.offset].isFollowing else { return wait(diff, index, at: time) }
        // Another channel counts the same updates at other depths.
        guard diff.stream == depths[index.offset].stream else { return }
        let (last, isFirst) = (depths[index.offset].lastID, depths[index.offset].isFirst)
        if diff.lastID <= last {
            output.counters.staleDropped &+= 1
            guard depths[index.offset].stale.isTooLong(behind: last, at: time) else { return }
            output.counters.gaps &+= 1
            return lose(index, .sequenceGap, "the venue counts anew below \(last)", at: time, into: &output)
        }
        guard diff.firstID == last &+ 1 || (isFirst && diff.firstID <= last) else {
            output.counters.gaps &+= 1
            let detail = "expected \(last &+ 1), received \(diff.firstID)"
            lose(index, .sequenceGap, detail, at: time, into: &output)
            // The message that shows the gap is the first to wait for the new image.
            return wait(diff, index, at: time)
        }
        guard let levels = levels(of: diff, index) else {
            return lose(index, .numberOutOfRange, "a level does not fit", at: time, into: &output)
        }
        depths[index.offset].lastID = diff.lastID
        depths[index.offset].isFirst = false
        let start = output.levels.count
        output.levels.append(contentsOf: levels)
        let isStuck = core.publishChanges(
            from: start, of: index, venueTime: diff.venueTime, at: time, into: &output)
        if isStuck { lose(index, .crossed, "crossed for two messages", at: time, into: &output) }
    }

    /// A message's levels at the book's scales, which may have grown while it waited.
    private func levels(of diff: GateioDiff, _ index: InstrumentIndex) -> [BookLevelChange]? {
        let scales = core.scales(of: index)
        if scales == (diff.priceScale, diff.sizeScale) { return diff.levels }
        let price = scales.price.power / diff.priceScale.power
        let size = scales.size.power / diff.sizeScale.power
        var levels: [BookLevelChange] = []
        for level in diff.levels {
            let (newPrice, first) = level.price.rawValue.multipliedReportingOverflow(by: price)
            let (newSize, second) = level.size.rawValue.multipliedReportingOverflow(by: size)
            if first || second { return nil }
            levels.append(
                BookLevelChange(side: level.side, price: Price(newPrice), size: Quantity(newSize)))
        }
        return levels
    }

    private mutating func wait(_ diff: GateioDiff, _ index: InstrumentIndex, at time: Timestamp) {
        guard !diff.stream.hasImages else { return }
        confirm(index, at: time)
        // A number that goes back says that the one before it was wrong: no image would reach it.
        let isBack = depths[index.offset].pending.last.map { diff.lastID < $0.lastID }
        if isBack ?? false || depths[index.offset].pending.count >= GateioSession.pendingLimit {
            depths[index.offset].pending.removeAll()
        }
        depths[index.offset].pending.append(diff)
        // The first message of a book that was never fetched asks for its image at once.
        core.needsImages = true
        switch core.trackers[index.offset].phase {
        case .idle: core.trackers[index.offset].phase = .scheduled(at: time)
        case .scheduled where core.trackers[index.offset].attempts == 0:
            core.trackers[index.offset].phase = .scheduled(at: time)
        default: break
        }
    }
}
