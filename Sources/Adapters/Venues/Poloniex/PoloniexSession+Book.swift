import Instruments
import MarketData

/// What a message about a book says besides its levels.
struct PoloniexBookMark {
    /// The message's own number.
    var id: Int64 = -1
    /// That of the message before it.
    var lastID: Int64 = -1
    var venueTime: Timestamp?
}

extension PoloniexSession {
    /// An object of `book_lv2`: `symbol, asks, bids, lastId, id, ts`.
    mutating func readBook(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, isSnapshot: Bool, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let body = scanner.index
        var levels: [BookLevelChange] = []
        let mark: PoloniexBookMark = try core.atFinalScales(index) { forms throws(ScanError) in
            scanner.index = body
            levels.removeAll(keepingCapacity: true)
            var mark = PoloniexBookMark()
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "asks") {
                    try scanner.pairLevels(.ask, forms, into: &levels)
                } else if scanner.equals(key, "bids") {
                    try scanner.pairLevels(.bid, forms, into: &levels)
                } else if scanner.equals(key, "id") {
                    mark.id = try scanner.integer()
                } else if scanner.equals(key, "lastId") {
                    mark.lastID = try scanner.integer()
                } else if scanner.equals(key, "ts") {
                    mark.venueTime = Timestamp(milliseconds: try scanner.integer())
                } else {
                    try scanner.skip()
                }
            }
            return mark
        }
        guard mark.id >= 0, isSnapshot || mark.lastID >= 0 else { throw .malformed }
        if isSnapshot {
            sequences[index.offset] = Sequence(last: mark.id, isFirst: true)
            core.publishImage(levels, of: index, venueTime: mark.venueTime, at: time, into: &output)
        } else {
            take(levels, mark, index, at: time, into: &output)
        }
    }

    /// Steps 2 and 3 of the procedure.
    private mutating func take(
        _ levels: [BookLevelChange], _ mark: PoloniexBookMark, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        guard core.trackers[index.offset].isFollowing else { return }
        let (last, isFirst) = (sequences[index.offset].last, sequences[index.offset].isFirst)
        if mark.id == last || (isFirst && mark.id < last) {
            output.counters.staleDropped &+= 1
            return
        }
        guard mark.lastID == last else {
            output.counters.gaps &+= 1
            let detail = "expected \(last), received \(mark.lastID)"
            return core.lose(index, .sequenceGap, detail, at: time, into: &output)
        }
        sequences[index.offset] = Sequence(last: mark.id, isFirst: false)
        let start = output.levels.count
        output.levels.append(contentsOf: levels)
        let isStuck = core.publishChanges(
            from: start, of: index, venueTime: mark.venueTime, at: time, into: &output)
        if isStuck { core.lose(index, .crossed, "crossed for two messages", at: time, into: &output) }
    }
}
