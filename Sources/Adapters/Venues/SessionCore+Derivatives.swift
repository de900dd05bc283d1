import Instruments
import MarketData

extension SessionCore {
    /// Joins what a message says of a derivative to what was said before on this connection, and tells all of
    /// it where something is new.
    ///
    /// Venues say mark price, funding and open interest in messages of their own, or only what has changed.
    /// Nothing is joined over a connection that was lost: the new one says everything anew.
    mutating func say(
        _ said: DerivativeTicker, of index: InstrumentIndex, into output: inout VenueOutput
    ) {
        guard wants(.derivative, index) else { return }
        let known = derivatives[index]
        var ticker = known ?? DerivativeTicker(receivedTime: said.receivedTime)
        guard ticker.take(said) else { return }
        derivatives[index] = ticker
        output.events.append(.derivative(index, ticker))
    }

    /// Tells of a liquidation, unless it has no price or no size.
    func say(_ liquidation: Liquidation, of index: InstrumentIndex, into output: inout VenueOutput) {
        guard wants(.liquidation, index), liquidation.price.units > 0, liquidation.size.units > 0 else {
            return
        }
        output.events.append(.liquidation(index, liquidation))
    }
}

extension JSONScanner {
    /// A figure of a derivative, without trailing zeros; `nil` where it is null, empty or no number.
    ///
    /// Some venues write the digits of a binary fraction, of which more than 18 places say nothing: then it
    /// is rounded half to even to what fits. A figure that nobody can read costs itself, not its message.
    mutating func figure() throws(ScanError) -> DecimalNumber? {
        let start = index
        do throws(ScanError) {
            return try anyDecimal()?.normalized
        } catch {
            index = start
        }
        let text = try scalarText()
        guard let amount = try? Amount(parsing: bytes(text)) else { return nil }
        for places in stride(from: Scale.maximum.places, through: 0, by: -1) {
            let rounded = amount.rounded(places: places).description
            if let number = try? DecimalNumber(parsing: rounded) { return number.normalized }
        }
        return nil
    }

    /// A price of a derivative: as ``figure()``, and `nil` where it is not above zero.
    mutating func priceFigure() throws(ScanError) -> DecimalNumber? {
        guard let number = try figure(), number.units > 0 else { return nil }
        return number
    }

    /// A moment as ISO 8601 or in milliseconds; `nil` where there is none, or none that can be read.
    mutating func moment() throws(ScanError) -> Timestamp? {
        let start = index
        if try peek() == 0x22 {
            let text = try text()
            if let time = Timestamp(iso8601: bytes(text)) { return time }
            index = start
        }
        guard let number = try figure(), number.scale == .zero, number.units > 0 else { return nil }
        return Timestamp(milliseconds: number.units)
    }

    /// Whole hours as seconds; `nil` where there are none, or more than a year of them.
    mutating func hours() throws(ScanError) -> UInt32? {
        guard let number = try figure(), number.scale == .zero, (1...8_760).contains(number.units) else {
            return nil
        }
        return UInt32(number.units) * 3_600
    }
}
