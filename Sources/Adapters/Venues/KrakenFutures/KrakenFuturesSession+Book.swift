import Instruments
import MarketData

extension KrakenFuturesSession {
    /// `book_snapshot`: `timestamp, seq, bids, asks` with levels `{price, qty}`.
    mutating func readImage(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let body = scanner.index
        var levels: [BookLevelChange] = []
        var sequence: Int64?
        var venueTime: Timestamp?
        try core.atFinalScales(index) { forms throws(ScanError) in
            scanner.index = body
            levels.removeAll(keepingCapacity: true)
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "seq") {
                    sequence = try scanner.integer()
                } else if scanner.equals(key, "timestamp") {
                    venueTime = Timestamp(milliseconds: try scanner.integer())
                } else if scanner.equals(key, "bids") {
                    try scanner.objectLevels(.bid, ("price", "qty"), forms, into: &levels)
                } else if scanner.equals(key, "asks") {
                    try scanner.objectLevels(.ask, ("price", "qty"), forms, into: &levels)
                } else {
                    try scanner.skip()
                }
            }
        }
        guard let sequence else { throw .malformed }
        sequences[index.offset] = Sequence(last: sequence, isFirst: true)
        core.publishImage(levels, of: index, venueTime: venueTime, at: time, into: &output)
    }

    /// `book`: `side, seq, price, qty, timestamp` of one level.
    mutating func readChange(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let body = scanner.index
        var sequence: Int64?
        var venueTime: Timestamp?
        let level: BookLevelChange = try core.atFinalScales(index) { forms throws(ScanError) in
            scanner.index = body
            var side: BookSide?
            var price: Int64 = 0
            var size: Int64 = -1
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "seq") {
                    sequence = try scanner.integer()
                } else if scanner.equals(key, "price") {
                    price = try scanner.decimal(forms.price).units
                } else if scanner.equals(key, "qty") {
                    size = try scanner.decimal(forms.size).units
                } else if scanner.equals(key, "side") {
                    let text = try scanner.text()
                    side = scanner.equals(text, "buy") ? .bid : scanner.equals(text, "sell") ? .ask : nil
                } else if scanner.equals(key, "timestamp") {
                    venueTime = Timestamp(milliseconds: try scanner.integer())
                } else {
                    try scanner.skip()
                }
            }
            guard let side, price > 0, size >= 0 else { throw .malformed }
            return BookLevelChange(side: side, price: Price(price), size: Quantity(size))
        }
        guard let sequence else { throw .malformed }
        take(level, sequence, index, venueTime: venueTime, at: time, into: &output)
    }

    /// Steps 2 and 3 of the procedure.
    private mutating func take(
        _ level: BookLevelChange, _ sequence: Int64, _ index: InstrumentIndex, venueTime: Timestamp?,
        at time: Timestamp, into output: inout VenueOutput
    ) {
        guard core.trackers[index.offset].isFollowing else { return }
        let (last, isFirst) = (sequences[index.offset].last, sequences[index.offset].isFirst)
        if sequence == last || (isFirst && sequence < last) {
            output.counters.staleDropped &+= 1
            return
        }
        guard sequence == last &+ 1 else {
            output.counters.gaps &+= 1
            let detail = "expected \(last &+ 1), received \(sequence)"
            return core.lose(index, .sequenceGap, detail, at: time, into: &output)
        }
        sequences[index.offset] = Sequence(last: sequence, isFirst: false)
        let start = output.levels.count
        output.levels.append(level)
        let isStuck = core.publishChanges(
            from: start, of: index, venueTime: venueTime, at: time, into: &output)
        if isStuck { core.lose(index, .crossed, "crossed for two messages", at: time, into: &output) }
    }
}
