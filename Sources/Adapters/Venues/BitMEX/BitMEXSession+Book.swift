import Instruments
import MarketData

extension BitMEXSession {
    mutating func readBook(
        _ scanner: inout JSONScanner, _ action: BitMEXAction, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        rows.removeAll(keepingCapacity: true)
        // The rows of an image have 60 bytes at least; with one allocation it is not copied as it grows.
        rows.reserveCapacity((scanner.count - scanner.index) / 60)
        // Rows of one symbol follow each other.
        var latest: (symbol: SymbolKey, index: InstrumentIndex)?
        // All rows are read before any is applied: a message that breaks off in the middle changes nothing.
        try scanner.array { scanner throws(ScanError) in
            let row = try BitMEXRow.read(&scanner) { symbol in
                let key = SymbolKey(symbol)
                if let latest, latest.symbol == key, key.isWhole { return latest.index }
                let index = core.instrument(symbol)
                if let index { latest = (key, index) }
                return index
            }
            guard let row else {
                output.counters.unexpected &+= 1
                return
            }
            if tables.count < core.trackers.count { growTables() }
            rows.append(row)
        }
        var first = 0
        while first < rows.count {
            var end = first + 1
            while end < rows.count, rows[end].index == rows[first].index { end += 1 }
            apply(first..<end, action, at: time, into: &output)
            first = end
        }
    }

    /// Applies the rows of one instrument: one update of its book, or its loss.
    private mutating func apply(
        _ range: Range<Int>, _ action: BitMEXAction, at time: Timestamp, into output: inout VenueOutput
    ) {
        let index = rows[range.lowerBound].index
        guard core.wants(.book, index), action == .partial || core.trackers[index.offset].isFollowing else {
            return
        }
        let start = output.levels.count
        do throws(BitMEXContradiction) {
            try refine(range, index)
            if action == .partial {
                try applyPartial(range, index)
                core.trackers[index.offset].publishSnapshot(
                    venueTime: rows[range.lowerBound].venueTime, at: time, into: &output)
                return
            }
            for row in range { try apply(rows[row], action, into: &output) }
        } catch {
            output.levels.removeLast(output.levels.count - start)
            lose(index, error.reason, error.detail, at: time, into: &output)
            return
        }
        let isStuck = core.trackers[index.offset].publishDelta(
            from: start, venueTime: rows[range.lowerBound].venueTime, at: time, into: &output)
        if isStuck { lose(index, .crossed, "crossed for two messages", at: time, into: &output) }
    }

    private mutating func refine(_ range: Range<Int>, _ index: InstrumentIndex) throws(BitMEXContradiction) {
        let scales = core.scales(of: index)
        var (price, size) = scales
        for position in range {
            let row = rows[position]
            if let number = row.price, number.scale > price { price = max(price, number.normalized.scale) }
            if let number = row.size, number.scale > size { size = max(size, number.normalized.scale) }
        }
        guard price != scales.price || size != scales.size else { return }
        let factor = price.power / scales.price.power
        guard core.refine(index, price: price, size: size) else { throw .outOfRange }
        tables[index.offset].multiply(prices: factor)
    }

    private mutating func applyPartial(_ range: Range<Int>, _ index: InstrumentIndex)
        throws(BitMEXContradiction)
    {
        let offset = index.offset
        tables[offset].removeAll(reserving: range.count)
        core.trackers[offset].book.clear()
        let (priceScale, sizeScale) = core.scales(of: index)
        var bids: [BookLevel] = []
        var asks: [BookLevel] = []
        for position in range {
            let row = rows[position]
            guard let price = row.price, let size = row.size else { throw .incomplete(row.id) }
            let level = BookLevel(
                price: Price(try units(price, priceScale)), size: Quantity(try units(size, sizeScale)))
            guard tables[offset].insert(row.id, row.side, level.price) else { throw .knownID(row.id) }
            if row.side == .bid { bids.append(level) } else { asks.append(level) }
        }
        core.trackers[offset].book.replace(bids: bids, asks: asks)
        let kept = core.trackers[offset].book.bidCount + core.trackers[offset].book.askCount
        guard kept == range.count else { throw .incomplete(0) }
    }

    @inline(__always)
    private mutating func apply(
        _ row: BitMEXRow, _ action: BitMEXAction, into output: inout VenueOutput
    ) throws(BitMEXContradiction) {
        let offset = row.index.offset
        let (priceScale, sizeScale) = core.scales(of: row.index)
        let stated: Price? =
            if let number = row.price { Price(try units(number, priceScale)) } else { nil }
        let price: Price
        let size: Quantity
        switch action {
        case .insert:
            guard let stated, let number = row.size else { throw .incomplete(row.id) }
            guard tables[offset].insert(row.id, row.side, stated) else { throw .knownID(row.id) }
            price = stated
            size = Quantity(try units(number, sizeScale))
        case .update:
            guard let known = tables[offset].price(of: row.id, row.side) else { throw .unknownID(row.id) }
            guard let number = row.size else { throw .incomplete(row.id) }
            price = known
            size = Quantity(try units(number, sizeScale))
        case .delete:
            guard let known = tables[offset].remove(row.id, row.side) else { throw .unknownID(row.id) }
            price = known
            size = .zero
        case .partial:
            return
        }
        if let stated, stated != price { throw .priceOfOtherID(row.id) }
        guard action == .delete || size.rawValue > 0 else { throw .incomplete(row.id) }
        let existed = core.trackers[offset].book.set(row.side, price, size)
        guard existed == (action != .insert) else { throw .priceOfOtherID(row.id) }
        output.levels.append(BookLevelChange(side: row.side, price: price, size: size))
    }

    private func units(_ number: DecimalNumber, _ scale: Scale) throws(BitMEXContradiction) -> Int64 {
        if number.scale <= scale {
            let factor = Scale.powers(scale.places &- number.scale.places)
            let (units, overflow) = number.units.multipliedReportingOverflow(by: factor)
            if overflow { throw .outOfRange }
            return units
        }
        do throws(DecimalError) {
            return try number.rescaled(to: scale).units
        } catch {
            throw .outOfRange
        }
    }
}
