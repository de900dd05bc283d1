import Instruments

extension Book {
    /// Applies a delta of any scales; false when a number does not fit, and then the levels are worth
    /// nothing.
    mutating func apply(_ delta: BookDelta) -> Bool {
        do throws(BookError) {
            try refine(price: delta.priceScale, size: delta.sizeScale)
        } catch {
            return false
        }
        let priceFactor = priceScale.power / delta.priceScale.power
        let sizeFactor = sizeScale.power / delta.sizeScale.power
        for change in delta.changes {
            if priceFactor == 1, sizeFactor == 1 {
                apply(change)
                continue
            }
            let (price, first) = change.price.rawValue.multipliedReportingOverflow(by: priceFactor)
            let (size, second) = change.size.rawValue.multipliedReportingOverflow(by: sizeFactor)
            if first || second { return false }
            set(change.side, Price(price), Quantity(size))
        }
        return true
    }
}
