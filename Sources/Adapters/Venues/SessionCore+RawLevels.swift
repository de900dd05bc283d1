import Instruments
import MarketData

/// A level at the scale of its own text, before its book's scales are known to hold it.
struct RawLevel: Sendable {
    let side: BookSide
    let price: DecimalNumber
    let size: DecimalNumber
}

extension SessionCore {
    /// Levels at their book's scales, which grow first, so that all are at the final ones.
    ///
    /// Some venues add sizes up in binary fractions and print all their seventeen digits. Where those and the
    /// book's largest size do not fit 63 bits together, sizes are cut at the last place that does.
    ///
    /// - Parameters:
    ///   - raw: The levels.
    ///   - index: Whose they are.
    ///   - isImage: Whether they are the whole book: then nothing of it has to fit besides; it is emptied.
    /// - Returns: The same levels.
    /// - Throws: ``ScanError``, for a price or a size that is none, or that does not fit.
    mutating func scale(
        _ raw: [RawLevel], _ index: InstrumentIndex, isImage: Bool = false
    ) throws(ScanError) -> [BookLevelChange] {
        if isImage { trackers[index.offset].book.clear() }
        for level in raw {
            guard level.price.units > 0, level.size.units >= 0 else { throw .malformed }
            _ = try units(level.price, .price, index)
        }
        let scale = try sizeScale(for: raw, index, isImage: isImage)
        var levels: [BookLevelChange] = []
        levels.reserveCapacity(raw.count)
        for level in raw {
            guard let size = level.size.cut(to: scale) else { throw .overflow }
            let price = Price(try units(level.price, .price, index))
            levels.append(BookLevelChange(side: level.side, price: price, size: Quantity(size)))
        }
        return levels
    }

    /// The finest scale that the sizes need and their book allows; the book is at it from here on.
    private mutating func sizeScale(
        for raw: [RawLevel], _ index: InstrumentIndex, isImage: Bool
    ) throws(ScanError) -> Scale {
        let current = scales(of: index).size
        var target = raw.reduce(current) { max($0, $1.size.normalized.scale) }
        while true {
            if raw.allSatisfy({ $0.size.cut(to: target) != nil }) {
                if target < current {
                    coarsen(index, size: target)
                    return target
                }
                if refine(index, price: .zero, size: target) { return target }
            }
            guard let next = Scale(target.places - 1), isImage || next >= current else { throw .overflow }
            target = next
        }
    }

    /// Makes levels the whole book of an instrument and says it; levels without a size are none.
    mutating func takeImage(
        _ raw: [RawLevel], _ index: InstrumentIndex, venueTime: Timestamp?, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let sides = Self.sides(try scale(raw, index, isImage: true))
        trackers[index.offset].book.replace(bids: sides.bids, asks: sides.asks)
        trackers[index.offset].publishSnapshot(venueTime: venueTime, at: time, into: &output)
    }

    /// The book that levels of an answer make, at the scales that an image of them would have.
    func auditBook(_ raw: [RawLevel], _ index: InstrumentIndex) -> Book? {
        var copy = self
        do throws(ScanError) {
            let sides = Self.sides(try copy.scale(raw, index, isImage: true))
            let scales = copy.scales(of: index)
            var book = Book(priceScale: scales.price, sizeScale: scales.size)
            book.replace(bids: sides.bids, asks: sides.asks)
            return book
        } catch {
            return nil
        }
    }

    private static func sides(_ levels: [BookLevelChange]) -> (bids: [BookLevel], asks: [BookLevel]) {
        var sides: (bids: [BookLevel], asks: [BookLevel]) = ([], [])
        for level in levels where level.size.rawValue > 0 {
            let resting = BookLevel(price: level.price, size: level.size)
            if level.side == .bid { sides.bids.append(resting) } else { sides.asks.append(resting) }
        }
        return sides
    }

    /// A trade at its instrument's scales, or at its own where the book leaves no room for those.
    mutating func trade(
        _ id: String, _ side: Side, _ price: DecimalNumber, _ size: DecimalNumber, _ index: InstrumentIndex
    ) -> Trade {
        let own = (price: price.normalized, size: size.normalized)
        var trade = Trade(
            id: id, side: side, price: Price(own.price.units), size: Quantity(own.size.units),
            priceScale: own.price.scale, sizeScale: own.size.scale, venueTime: .zero, receivedTime: .zero)
        guard let (price, size) = try? scale(price, size, index) else { return trade }
        let scales = scales(of: index)
        (trade.price, trade.size) = (price, size)
        (trade.priceScale, trade.sizeScale) = (scales.price, scales.size)
        return trade
    }

    /// A size as the book's scale holds it, where that is as fine as the book allows.
    func fitting(_ size: DecimalNumber?, _ index: InstrumentIndex) -> DecimalNumber? {
        let scale = scales(of: index).size
        return size?.cut(to: scale).map { DecimalNumber(units: $0, scale: scale) }
    }
}

extension DecimalNumber {
    /// Units at a scale, without the places beyond it; a size that is cut stays above zero.
    ///
    /// `nil` where it does not fit.
    fileprivate func cut(to target: Scale) -> Int64? {
        let exact = normalized
        guard exact.scale <= target else {
            let units = exact.units / Scale.powers(exact.scale.places - target.places)
            return units == 0 && exact.units > 0 ? 1 : units
        }
        let power = Scale.powers(target.places - exact.scale.places)
        let (units, overflow) = exact.units.multipliedReportingOverflow(by: power)
        return overflow ? nil : units
    }
}

extension JSONScanner {
    /// `[[price, size, …], …]`, bare or quoted; what else a level has is skipped.
    mutating func levels(_ side: BookSide, into levels: inout [RawLevel]) throws(ScanError) {
        try array { scanner throws(ScanError) in
            try scanner.expect(0x5B)
            let price = try scanner.rawDecimal()
            try scanner.expect(0x2C)
            let size = try scanner.rawDecimal()
            while try scanner.take(0x2C) { try scanner.skip() }
            try scanner.expect(0x5D)
            levels.append(RawLevel(side: side, price: price, size: size))
        }
    }
}

extension Timestamp {
    /// A time in whole seconds since 1970; `nil` when it does not fit.
    init?(wholeSeconds seconds: Int64) {
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return nil }
        self.init(nanoseconds: nanoseconds)
    }
}
