import Instruments
import MarketData

extension LinkedBooks {
    /// The names are those of each venue and generation that sends books of this kind.
    mutating func readElement(
        _ scanner: inout JSONScanner, _ header: inout LinkedBookHeader,
        _ forms: (price: DecimalForm, size: DecimalForm), into levels: inout [BookLevelChange]
    ) throws(ScanError) {
        var sides: (bids: Bool, asks: Bool) = (false, false)
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "asks") {
                sides.asks = true
                try readLevels(&scanner, .ask, forms, into: &levels)
            } else if scanner.equals(key, "bids") {
                sides.bids = true
                try readLevels(&scanner, .bid, forms, into: &levels)
            } else if scanner.equals(key, "checksum") {
                if try scanner.takeNull() { return }
                let checksum = UInt32(truncatingIfNeeded: try scanner.integer())
                header.checksum = checksum == 0 ? nil : checksum
            } else if scanner.equals(key, "seqId") || scanner.equals(key, "seq") {
                header.sequence = try scanner.takeNull() ? nil : try scanner.integer()
            } else if scanner.equals(key, "prevSeqId") || scanner.equals(key, "pseq") {
                header.previous = try scanner.takeNull() ? nil : try scanner.integer()
            } else if scanner.equals(key, "ts") || scanner.equals(key, "timestamp") {
                header.venueTime = try scanner.venueTime()
            } else {
                try scanner.skip()
            }
        }
        // A message without levels has both sides empty: one that lacks them is another message, and an image
        // that lacks one is not whole.
        guard sides.bids || sides.asks, !header.isImage || (sides.bids && sides.asks) else {
            throw .malformed
        }
    }

    /// `[["price","size",…],…]`; further elements of a level are skipped.
    private mutating func readLevels(
        _ scanner: inout JSONScanner, _ side: BookSide, _ forms: (price: DecimalForm, size: DecimalForm),
        into levels: inout [BookLevelChange]
    ) throws(ScanError) {
        if try scanner.takeNull() { return }
        try scanner.array { scanner throws(ScanError) in
            try scanner.expect(0x5B)
            let (price, priceText) = try scanner.sentDecimal(forms.price)
            try scanner.expect(0x2C)
            let (size, sizeText) = try scanner.sentDecimal(forms.size)
            while try scanner.take(0x2C) { try scanner.skip() }
            try scanner.expect(0x5D)
            guard price > 0, size >= 0 else { throw .malformed }
            levels.append(BookLevelChange(side: side, price: Price(price), size: Quantity(size)))
            sent.append(SentLevelTexts.Level(price: priceText, size: sizeText))
        }
    }
}

extension JSONScanner {
    /// A number at a scale with its text, without quotes.
    fileprivate mutating func sentDecimal(
        _ form: DecimalForm
    ) throws(ScanError) -> (units: Int64, text: String) {
        let quotes = try peek() == 0x22 ? 1 : 0
        let start = index
        let units = try decimal(form).units
        let text = JSONText(start: start + quotes, count: index - start - 2 * quotes, hasEscapes: false)
        guard let string = string(text) else { throw .malformed }
        return (units, string)
    }

    /// Milliseconds since 1970, bare or quoted, or a text as of ISO 8601; `nil` for null or nothing.
    mutating func venueTime() throws(ScanError) -> Timestamp? {
        if try takeNull() { return nil }
        let text = try scalarText()
        guard text.count > 0 else { return nil }
        if text.count > 4, base[text.start + 4] == 0x2D {
            guard let time = Timestamp(iso8601: bytes(text)) else { throw .malformed }
            return time
        }
        var milliseconds: Int64 = 0
        for byte in bytes(text) {
            let digit = byte &- 0x30
            let (product, first) = milliseconds.multipliedReportingOverflow(by: 10)
            let (sum, second) = product.addingReportingOverflow(Int64(digit))
            guard digit < 10, !first, !second else { throw .malformed }
            milliseconds = sum
        }
        guard let time = Timestamp(milliseconds: milliseconds) else { throw .malformed }
        return time
    }
}
