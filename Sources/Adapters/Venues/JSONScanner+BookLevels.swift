import Instruments
import MarketData

extension JSONScanner {
    /// Reads levels that are pairs, `[["price","size"],…]`; further elements of a level are skipped,
    /// and null is no level.
    @inline(__always)
    mutating func pairLevels(
        _ side: BookSide, _ forms: InstrumentForms, into levels: inout [BookLevelChange]
    ) throws(ScanError) {
        if try takeNull() { return }
        try array { scanner throws(ScanError) in
            try scanner.expect(0x5B)
            let price = try scanner.decimal(forms.price)
            try scanner.expect(0x2C)
            let size = try scanner.decimal(forms.size)
            while try scanner.take(0x2C) { try scanner.skip() }
            try scanner.expect(0x5D)
            guard price.units > 0, size.units >= 0 else { throw .malformed }
            levels.append(
                BookLevelChange(side: side, price: Price(price.units), size: Quantity(size.units)))
        }
    }

    /// Reads levels that are objects, `[{"price":…,"qty":…},…]`, by the names of their two numbers;
    /// null is no level.
    @inline(__always)
    mutating func objectLevels(
        _ side: BookSide, _ names: (price: StaticString, size: StaticString), _ forms: InstrumentForms,
        into levels: inout [BookLevelChange]
    ) throws(ScanError) {
        if try takeNull() { return }
        try array { scanner throws(ScanError) in
            var price: Int64 = 0
            var size: Int64 = -1
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, names.price) {
                    price = try scanner.decimal(forms.price).units
                } else if scanner.equals(key, names.size) {
                    size = try scanner.decimal(forms.size).units
                } else {
                    try scanner.skip()
                }
            }
            guard price > 0, size >= 0 else { throw .malformed }
            levels.append(BookLevelChange(side: side, price: Price(price), size: Quantity(size)))
        }
    }
}
