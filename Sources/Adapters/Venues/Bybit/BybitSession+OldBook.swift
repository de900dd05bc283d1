import Instruments
import MarketData

/// What a row of a V2 book does.
private enum BybitAction {
    case delete, update, insert
}

/// A change of a V2 book besides its levels.
private struct BybitOldChange {
    /// What each level is about.
    var actions: [BybitAction]
    var crossSequence: Int64?
    var venueTime: Timestamp?
}

extension BybitSession {
    /// `data` of a book of V2: rows, in `order_book` for USDT contracts, or the lists `delete`, `update` and
    /// `insert`.
    ///
    /// Source: Bybit, "API documentation V2, WebSocket data, orderBookL2_25", as in recordings of 2021.
    mutating func readOldBook(
        _ scanner: inout JSONScanner, _ message: BybitMessage, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        guard let index = instrument(of: message, in: scanner, for: .book, into: &output) else { return }
        let (body, start) = (scanner.index, output.levels.count)
        var actions: [BybitAction] = []
        try atFinalScale(index) { session throws(ScanError) in
            output.levels.removeLast(output.levels.count - start)
            actions = []
            scanner.index = body
            if message.isSnapshot {
                try session.readOldImage(&scanner, index, into: &output.levels)
            } else {
                try session.readOldChange(&scanner, index, &actions, into: &output.levels)
            }
        }
        let stream = Stream(connection: message.connection, depth: message.topic.depth)
        if message.isSnapshot {
            let image = BybitBookMessage(
                stream: stream, updateID: message.crossSequence ?? 0, isImage: true,
                venueTime: message.venueTime)
            takeImage(image, index, from: start, at: time, into: &output)
        } else if isOwn(stream, index, into: &output) {
            let change = BybitOldChange(
                actions: actions, crossSequence: message.crossSequence, venueTime: message.venueTime)
            takeOldChange(change, index, from: start, at: time, into: &output)
        } else {
            output.levels.removeLast(output.levels.count - start)
        }
    }

    private func readOldImage(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, into levels: inout [BookLevelChange]
    ) throws(ScanError) {
        if try scanner.peek() == 0x5B {
            return try readOldRows(&scanner, index, hasSizes: true, into: &levels)
        }
        var hasRows = false
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "order_book") else { return try scanner.skip() }
            hasRows = true
            try readOldRows(&scanner, index, hasSizes: true, into: &levels)
        }
        guard hasRows else { throw .malformed }
    }

    private func readOldChange(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, _ actions: inout [BybitAction],
        into levels: inout [BookLevelChange]
    ) throws(ScanError) {
        try scanner.object { scanner, key throws(ScanError) in
            let action: BybitAction
            if scanner.equals(key, "delete") {
                action = .delete
            } else if scanner.equals(key, "update") {
                action = .update
            } else if scanner.equals(key, "insert") {
                action = .insert
            } else {
                return try scanner.skip()
            }
            let before = levels.count
            try readOldRows(&scanner, index, hasSizes: action != .delete, into: &levels)
            actions += Array(repeating: action, count: levels.count - before)
        }
    }

    /// Rows of `price, symbol, id, side, size`; numbers are bare or quoted.
    private func readOldRows(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, hasSizes: Bool,
        into levels: inout [BookLevelChange]
    ) throws(ScanError) {
        if try scanner.takeNull() { return }
        let (priceForm, sizeForm) = core.forms[index.offset]
        try scanner.array { scanner throws(ScanError) in
            var (price, size): (Int64?, Int64?)
            var side: BookSide?
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "price") {
                    price = try scanner.decimal(priceForm).units
                } else if scanner.equals(key, "size"), hasSizes {
                    size = try scanner.decimal(sizeForm).units
                } else if scanner.equals(key, "side") {
                    let text = try scanner.text()
                    side = scanner.equals(text, "Buy") ? .bid : scanner.equals(text, "Sell") ? .ask : nil
                } else {
                    try scanner.skip()
                }
            }
            guard let price, price > 0, let side, let size = hasSizes ? size : 0, hasSizes == (size > 0)
            else { throw .malformed }
            levels.append(BookLevelChange(side: side, price: Price(price), size: Quantity(size)))
        }
    }

    /// Applies rows in their order; a level that is not there, or is, against what they say costs the book.
    private mutating func takeOldChange(
        _ change: BybitOldChange, _ index: InstrumentIndex, from start: Int, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let last = extras[index.offset].updateID
        let number = change.crossSequence ?? last
        if number < last {
            output.levels.removeLast(output.levels.count - start)
            output.counters.gaps &+= 1
            return core.lose(
                index, .sequenceGap, "\(number) came after \(last)", at: time, into: &output)
        }
        extras[index.offset].updateID = number
        for (position, action) in change.actions.enumerated() {
            let existed = core.trackers[index.offset].book.apply(output.levels[start + position])
            guard existed == (action != .insert) else {
                output.levels.removeLast(output.levels.count - start)
                let detail = existed ? "a level is inserted that is there" : "a level is not there"
                return core.lose(index, .unknownLevel, detail, at: time, into: &output)
            }
        }
        publish(index, from: start, change.venueTime, at: time, into: &output)
    }
}
