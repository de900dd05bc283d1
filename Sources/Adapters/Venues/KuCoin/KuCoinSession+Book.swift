import Instruments
import MarketData

extension KuCoinSession {
    /// `{"sequenceStart","sequenceEnd","changes":{"asks":[[price,size,sequence],…],"bids":…},"time"}`.
    mutating func readUpdate(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let body = scanner.index
        for _ in 0...36 {
            do throws(ScanError) {
                scanner.index = body
                let update = try readFields(&scanner, index)
                guard update.first >= 0, update.last >= update.first else { throw .malformed }
                return take(update, index, at: time, into: &output)
            } catch {
                guard core.refine(index, after: error) else { throw error }
            }
        }
        throw .malformed
    }

    private func readFields(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex
    ) throws(ScanError) -> KuCoinUpdate {
        let scales = core.scales(of: index)
        var update = KuCoinUpdate(priceScale: scales.price, sizeScale: scales.size)
        var hasChanges = false
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "sequenceStart") {
                update.first = try scanner.integer()
            } else if scanner.equals(key, "sequenceEnd") {
                update.last = try scanner.integer()
            } else if scanner.equals(key, "time") {
                update.venueTime = Timestamp(milliseconds: try scanner.integer())
            } else if scanner.equals(key, "changes") {
                hasChanges = true
                try scanner.object { scanner, key throws(ScanError) in
                    let isBid = scanner.equals(key, "bids")
                    guard isBid || scanner.equals(key, "asks") else { return try scanner.skip() }
                    if try scanner.takeNull() { return }
                    try readChanges(&scanner, isBid ? .bid : .ask, index, into: &update.changes)
                }
            } else {
                try scanner.skip()
            }
        }
        guard hasChanges else { throw .malformed }
        return update
    }

    private func readChanges(
        _ scanner: inout JSONScanner, _ side: BookSide, _ index: InstrumentIndex,
        into changes: inout [KuCoinChange]
    ) throws(ScanError) {
        let (priceForm, sizeForm) = core.forms[index.offset]
        try scanner.array { scanner throws(ScanError) in
            try scanner.expect(0x5B)
            let price = try scanner.decimal(priceForm).units
            try scanner.expect(0x2C)
            let size = try scanner.decimal(sizeForm).units
            try scanner.expect(0x2C)
            let sequence = try scanner.integer()
            while try scanner.take(0x2C) { try scanner.skip() }
            try scanner.expect(0x5D)
            guard price >= 0, size >= 0 else { throw .malformed }
            // Step 5: a number without a change.
            guard price > 0 else { return }
            changes.append(
                KuCoinChange(
                    sequence: sequence,
                    level: BookLevelChange(side: side, price: Price(price), size: Quantity(size))))
        }
    }

    /// Decides what an update is to its book.
    private mutating func take(
        _ update: KuCoinUpdate, _ index: InstrumentIndex, at time: Timestamp, into output: inout VenueOutput
    ) {
        guard core.trackers[index.offset].isFollowing else { return wait(update, index, at: time) }
        let last = depths[index.offset].sequence
        if update.last <= last {
            output.counters.staleDropped &+= 1
            guard depths[index.offset].stale.isTooLong(behind: last, at: time) else { return }
            output.counters.gaps &+= 1
            lose(index, .sequenceGap, "the venue counts anew below \(last)", at: time, into: &output)
        } else if update.first > last + 1 {
            output.counters.gaps &+= 1
            lose(
                index, .sequenceGap, "expected \(last + 1), received \(update.first)", at: time,
                into: &output)
            // The update that shows the gap is the first to wait for the new image.
            wait(update, index, at: time)
        } else {
            apply(update, index, at: time, into: &output)
        }
    }

    private mutating func apply(
        _ update: KuCoinUpdate, _ index: InstrumentIndex, at time: Timestamp, into output: inout VenueOutput
    ) {
        let start = output.levels.count
        let (last, depth) = (depths[index.offset].sequence, depths[index.offset])
        // Step 3. A change's own number is that of its price, and says nothing of the order of updates.
        let isStraddling = update.first <= last
        for change in update.changes where !isStraddling || change.sequence > last {
            guard let level = rescaled(change.level, update, index) else {
                output.levels.removeLast(output.levels.count - start)
                return lose(index, .numberOutOfRange, "a level does not fit", at: time, into: &output)
            }
            if depth.knows(level, core.scales(of: index).price) { output.levels.append(level) }
        }
        depths[index.offset].sequence = update.last
        core.trackers[index.offset].book.apply(output.levels.span.extracting(start..<output.levels.count))
        guard !depth.isThin(core.trackers[index.offset].book) else {
            output.levels.removeLast(output.levels.count - start)
            return lose(
                index, .snapshotReplaced, "the price has come near to the end of the image", at: time,
                into: &output)
        }
        _ = core.trackers[index.offset].publishDelta(
            from: start, venueTime: update.venueTime, at: time, into: &output)
        let book = core.trackers[index.offset].book
        if depths[index.offset].crossed.isStuck(book.isCrossed, at: time) {
            lose(index, .crossed, "crossed for more than a second", at: time, into: &output)
        }
    }

    /// A level at its book's scales, which may have grown while it waited; `nil` where it does not fit.
    private func rescaled(
        _ level: BookLevelChange, _ update: KuCoinUpdate, _ index: InstrumentIndex
    ) -> BookLevelChange? {
        let scales = core.scales(of: index)
        if scales == (update.priceScale, update.sizeScale) { return level }
        let (price, first) = level.price.rawValue.multipliedReportingOverflow(
            by: scales.price.power / update.priceScale.power)
        let (size, second) = level.size.rawValue.multipliedReportingOverflow(
            by: scales.size.power / update.sizeScale.power)
        guard !first, !second else { return nil }
        return BookLevelChange(side: level.side, price: Price(price), size: Quantity(size))
    }

    private mutating func wait(_ update: KuCoinUpdate, _ index: InstrumentIndex, at time: Timestamp) {
        confirm(index, at: time)
        // A number that goes back says that the one before it was wrong: no image would reach it.
        let isBack = depths[index.offset].pending.last.map { update.last < $0.last }
        if isBack ?? false || depths[index.offset].pending.count >= KuCoinDepth.pendingLimit {
            depths[index.offset].pending.removeAll()
        }
        depths[index.offset].pending.append(update)
        core.needsImages = true
        // The first update of a book that was never fetched asks for its image at once.
        switch core.trackers[index.offset].phase {
        case .idle: core.trackers[index.offset].phase = .scheduled(at: time)
        case .scheduled where core.trackers[index.offset].attempts == 0:
            core.trackers[index.offset].phase = .scheduled(at: time)
        default: break
        }
    }

    /// Step 3: takes the image if it reaches the waiting updates, then applies those.
    mutating func takeImage(
        _ image: KuCoinImage, _ index: InstrumentIndex, at time: Timestamp, into output: inout VenueOutput
    ) {
        guard takesImage(index) else { return }
        let pending = depths[index.offset].pending
        if let first = pending.first, image.sequence < first.first - 1 {
            return retryImage(index, at: time)
        }
        core.trackers[index.offset].book.replace(bids: image.bids, asks: image.asks)
        depths[index.offset].begin(image, priceScale: core.scales(of: index).price)
        core.trackers[index.offset].publishSnapshot(venueTime: image.venueTime, at: time, into: &output)
        for (position, update) in pending.enumerated() {
            guard core.trackers[index.offset].isFollowing else {
                // A gap among them: those from it on wait for the next image.
                depths[index.offset].pending.append(contentsOf: pending[position...])
                return
            }
            take(update, index, at: time, into: &output)
        }
    }

    mutating func retryImage(_ index: InstrumentIndex, at time: Timestamp) {
        guard takesImage(index) else { return }
        let delay = core.governor.delay(attempts: core.trackers[index.offset].attempts)
        core.trackers[index.offset].phase = .scheduled(at: time.adding(nanoseconds: max(delay, 1)))
    }
}
