import Instruments
import MarketData

/// A book notification besides its levels.
struct DeribitBookMessage {
    var connection: Int
    var interval: SymbolKey
    /// `snapshot` or `change`; grouped books have no type and are images.
    var isImage = true
    /// Whether the channel says changes.
    var saysChanges = false
    /// `change_id`; below zero until it is read.
    var changeID: Int64 = -1
    var previousID: Int64?
    var venueTime: Timestamp?
}

extension DeribitSession {
    /// `data` of a book: `type, timestamp, change_id, prev_change_id, bids, asks`.
    mutating func readBook(
        _ scanner: inout JSONScanner, _ channel: DeribitChannel, on connection: Int, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        guard let index = instrument(of: channel, in: scanner, for: .book, into: &output) else { return }
        let (body, start) = (scanner.index, output.levels.count)
        let blank = DeribitBookMessage(
            connection: connection, interval: SymbolKey(scanner.bytes(channel.interval)))
        var message = blank
        var sides = 0
        // Each turn adds places, of which there are at most 18 for prices and 18 for sizes.
        for turn in 0...36 {
            (message, sides) = (blank, 0)
            scanner.index = body
            output.levels.removeLast(output.levels.count - start)
            do throws(ScanError) {
                try readBookFields(&scanner, index, &message, &sides, into: &output.levels)
                break
            } catch {
                guard turn < 36, core.refine(index, after: error) else { throw error }
            }
        }
        guard sides == 2, message.changeID >= 0 else { throw .malformed }
        if message.isImage {
            takeImage(message, index, from: start, at: time, into: &output)
        } else {
            guard message.previousID != nil else { throw .malformed }
            takeChange(message, index, from: start, at: time, into: &output)
        }
    }

    private func readBookFields(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, _ message: inout DeribitBookMessage,
        _ sides: inout Int, into levels: inout [BookLevelChange]
    ) throws(ScanError) {
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "bids") || scanner.equals(key, "asks") {
                sides += 1
                let side: BookSide = scanner.equals(key, "bids") ? .bid : .ask
                try readLevels(&scanner, side, index, into: &levels)
            } else if scanner.equals(key, "type") {
                let type = try scanner.text()
                message.saysChanges = true
                message.isImage = scanner.equals(type, "snapshot")
                guard message.isImage || scanner.equals(type, "change") else { throw .malformed }
            } else if scanner.equals(key, "change_id") {
                message.changeID = try scanner.integer()
            } else if scanner.equals(key, "prev_change_id"), try !scanner.takeNull() {
                message.previousID = try scanner.integer()
            } else if scanner.equals(key, "timestamp") {
                message.venueTime = Timestamp(milliseconds: try scanner.integer())
            } else {
                try scanner.skip()
            }
        }
    }

    /// `[["new",price,amount],…]`, in grouped books `[[price,amount],…]`.
    ///
    /// Amounts are absolute, so that `new` and `change` are the same; a `delete` has the amount 0.
    private func readLevels(
        _ scanner: inout JSONScanner, _ side: BookSide, _ index: InstrumentIndex,
        into levels: inout [BookLevelChange]
    ) throws(ScanError) {
        let (priceForm, sizeForm) = core.forms[index.offset]
        try scanner.array { scanner throws(ScanError) in
            try scanner.expect(0x5B)
            var isDeleted = false
            if try scanner.peek() == 0x22 {
                let action = try scanner.text()
                isDeleted = scanner.equals(action, "delete")
                guard isDeleted || scanner.equals(action, "new") || scanner.equals(action, "change") else {
                    throw .malformed
                }
                try scanner.expect(0x2C)
            }
            let price = try scanner.decimal(priceForm).units
            try scanner.expect(0x2C)
            let size = try scanner.decimal(sizeForm).units
            while try scanner.take(0x2C) { try scanner.skip() }
            try scanner.expect(0x5D)
            guard price > 0, size > 0 || (isDeleted && size == 0) else { throw .malformed }
            levels.append(
                BookLevelChange(side: side, price: Price(price), size: Quantity(isDeleted ? 0 : size)))
        }
    }

    /// Step 1: the levels at the end of the output's are the whole book.
    ///
    /// While a book follows one channel, only one with changes may take the place of one with images alone,
    /// and one no worse of another connection: in a recording that is the one after a break.
    private mutating func takeImage(
        _ message: DeribitBookMessage, _ index: InstrumentIndex, from start: Int, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        let levels = Array(output.levels[start...])
        output.levels.removeLast(output.levels.count - start)
        let present = extras[index.offset]
        let isBetter =
            present.connection == message.connection
            ? message.saysChanges && !present.saysChanges : message.saysChanges || !present.saysChanges
        if core.trackers[index.offset].isFollowing, !isOwn(message, index), !isBetter {
            output.counters.unexpected &+= 1
            return
        }
        extras[index.offset] = Extras(
            connection: message.connection, interval: message.interval, saysChanges: message.saysChanges,
            changeID: message.changeID)
        func side(_ side: BookSide) -> [BookLevel] {
            levels.filter { $0.side == side && $0.size.rawValue > 0 }
                .map { BookLevel(price: $0.price, size: $0.size) }
        }
        core.trackers[index.offset].book.replace(bids: side(.bid), asks: side(.ask))
        core.trackers[index.offset].publishSnapshot(venueTime: message.venueTime, at: time, into: &output)
    }

    /// Step 2: the levels at the end of the output's are changes.
    private mutating func takeChange(
        _ message: DeribitBookMessage, _ index: InstrumentIndex, from start: Int, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        guard core.trackers[index.offset].isFollowing, isOwn(message, index) else {
            if core.trackers[index.offset].isFollowing { output.counters.unexpected &+= 1 }
            output.levels.removeLast(output.levels.count - start)
            return
        }
        let last = extras[index.offset].changeID
        guard message.previousID == last else {
            output.levels.removeLast(output.levels.count - start)
            // The same notification once more changes nothing.
            if message.changeID == last {
                output.counters.staleDropped &+= 1
                return
            }
            output.counters.gaps &+= 1
            let received = message.previousID ?? -1
            return core.lose(
                index, .sequenceGap, "expected \(last), received \(received)", at: time, into: &output)
        }
        extras[index.offset].changeID = message.changeID
        core.trackers[index.offset].book.apply(output.levels.span.extracting(start..<output.levels.count))
        let isStuck = core.trackers[index.offset].publishDelta(
            from: start, venueTime: message.venueTime, at: time, into: &output)
        if isStuck { core.lose(index, .crossed, "crossed for two messages", at: time, into: &output) }
    }

    private func isOwn(_ message: DeribitBookMessage, _ index: InstrumentIndex) -> Bool {
        extras[index.offset].connection == message.connection
            && extras[index.offset].interval == message.interval
    }
}
