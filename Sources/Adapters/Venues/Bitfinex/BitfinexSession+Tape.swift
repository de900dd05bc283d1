import Instruments
import MarketData

extension BitfinexSession {
    /// The newest trades, `[[id, ms, amount, price],…]`; an empty list and one row are read as well.
    mutating func readTrades(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.array { scanner throws(ScanError) in
            try readTrade(&scanner, index, isBackfill: true, at: time, into: &output)
        }
    }

    /// `[id, ms, amount, price]`; the amount of a sale is below zero.
    mutating func readTrade(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, isBackfill: Bool, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.expect(0x5B)
        let idText = try scanner.scalarText()
        try scanner.expect(0x2C)
        let venueTime = Timestamp(milliseconds: try scanner.integer())
        try scanner.expect(0x2C)
        let amount = try scanner.rawDecimal()
        try scanner.expect(0x2C)
        let price = try scanner.rawDecimal()
        while try scanner.take(0x2C) { try scanner.skip() }
        try scanner.expect(0x5D)
        guard let id = scanner.string(idText), !id.isEmpty, let venueTime, amount.units != .min else {
            throw .malformed
        }
        let size = DecimalNumber(units: abs(amount.units), scale: amount.scale)
        guard output.accepts(price, size, of: index, id: id) else { return }
        let (scaledPrice, scaledSize) = try core.scale(price, size, index)
        let scales = core.scales(of: index)
        output.events.append(
            .trade(
                index,
                Trade(
                    id: id, side: amount.units > 0 ? .buy : .sell, price: scaledPrice, size: scaledSize,
                    priceScale: scales.price, sizeScale: scales.size, venueTime: venueTime,
                    receivedTime: time, isBackfill: isBackfill)))
    }

    /// `[bid, bidSize, ask, askSize, change, relativeChange, last, volume, high, low]`.
    ///
    /// The sizes are sums of the 25 best levels in binary fractions, such as 1.7023900800000002: they keep
    /// scales of their own, which the book must not take over.
    mutating func readTicker(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var fields: [DecimalNumber?] = []
        try scanner.array { scanner throws(ScanError) in
            let text = try scanner.scalarText()
            fields.append(try? DecimalNumber(parsing: scanner.bytes(text)).normalized)
        }
        guard fields.count >= 7 else { throw .malformed }
        let prices = BitfinexScales.fit([fields[0], fields[2], fields[6]])
        let sizes = BitfinexScales.fit([fields[1], fields[3]])
        var ticker = Ticker(priceScale: prices.scale, sizeScale: sizes.scale, receivedTime: time)
        ticker.bidPrice = prices.units[0].map { Price($0) }
        ticker.bidSize = sizes.units[0].map { Quantity($0) }
        ticker.askPrice = prices.units[1].map { Price($0) }
        ticker.askSize = sizes.units[1].map { Quantity($0) }
        ticker.lastPrice = prices.units[2].map { Price($0) }
        output.events.append(.ticker(index, ticker))
    }
}

/// The finest scale at which some numbers fit 63 bits together.
enum BitfinexScales {
    /// Numbers at a common scale; the last digits are rounded where a large and a very fine one meet.
    static func fit(_ numbers: [DecimalNumber?]) -> (units: [Int64?], scale: Scale) {
        var scale = numbers.compactMap { $0?.scale }.max() ?? .zero
        while true {
            let units = numbers.map { number in number.map { rounded($0, to: scale) } }
            if !units.contains(where: { $0 == .some(nil) }) { return (units.map { $0 ?? nil }, scale) }
            // At scale zero everything fits that has been read.
            guard let coarser = Scale(scale.places - 1) else { return (numbers.map { _ in nil }, .zero) }
            scale = coarser
        }
    }

    private static func rounded(_ number: DecimalNumber, to scale: Scale) -> Int64? {
        guard number.scale > scale else {
            let factor = Scale.powers(scale.places - number.scale.places)
            let (units, overflow) = number.units.multipliedReportingOverflow(by: factor)
            return overflow ? nil : units
        }
        let divisor = Scale.powers(number.scale.places - scale.places)
        let (quotient, rest) = number.units.quotientAndRemainder(dividingBy: divisor)
        guard rest.magnitude >= divisor.magnitude / 2 else { return quotient }
        return quotient + (number.units < 0 ? -1 : 1)
    }
}
