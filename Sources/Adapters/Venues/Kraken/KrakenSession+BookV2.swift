import Instruments
import MarketData

extension KrakenSession {
    /// `data` of channel `book`: one element a symbol.
    mutating func readV2Book(
        _ scanner: inout JSONScanner, isSnapshot: Bool, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.array { scanner throws(ScanError) in
            let body = scanner.index
            guard let symbol = try symbol(&scanner) else { throw .malformed }
            scanner.index = body
            guard let index = instrument(scanner.bytes(symbol)), core.wants(.book, index) else {
                output.counters.unexpected &+= 1
                return try scanner.skip()
            }
            try readV2Element(&scanner, index, isSnapshot: isSnapshot, at: time, into: &output)
        }
    }

    /// The symbol of an element, which usually comes first.
    @inline(__always)
    private func symbol(_ scanner: inout JSONScanner) throws(ScanError) -> JSONText? {
        if scanner.takeExactly("{\"symbol\":"), try scanner.peek() == 0x22 { return try scanner.text() }
        var symbol: JSONText?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "symbol") {
                symbol = try scanner.text()
            } else {
                try scanner.skip()
            }
        }
        return symbol
    }

    /// Reads `{"symbol":…,"bids":[…],"asks":[…],"checksum":…,"timestamp":…}` and applies it.
    @inline(__always)
    private mutating func readV2Element(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, isSnapshot: Bool, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        let body = scanner.index
        var checksum: UInt32?
        var venueTime: Timestamp?
        try readLevels(index, into: &output) { session, levels throws(ScanError) in
            scanner.index = body
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "bids") {
                    try session.readV2Levels(&scanner, .bid, index, into: &levels)
                } else if scanner.equals(key, "asks") {
                    try session.readV2Levels(&scanner, .ask, index, into: &levels)
                } else if scanner.equals(key, "checksum") {
                    checksum = UInt32(exactly: try scanner.integer())
                } else if scanner.equals(key, "timestamp") {
                    let text = try scanner.text()
                    venueTime = Timestamp(iso8601: scanner.bytes(text))
                } else {
                    try scanner.skip()
                }
            }
        } then: { session, start, output throws(ScanError) in
            guard let checksum else { throw .malformed }
            session.apply(
                KrakenBookMessage(
                    index: index, isSnapshot: isSnapshot, checksum: checksum, venueTime: venueTime),
                from: start, at: time, into: &output)
        }
    }

    /// Reads `[{"price":…,"qty":…},…]`.
    @inline(__always)
    private mutating func readV2Levels(
        _ scanner: inout JSONScanner, _ side: BookSide, _ index: InstrumentIndex,
        into levels: inout [BookLevelChange]
    ) throws(ScanError) {
        let forms = core.forms[index.offset]
        try scanner.array { scanner throws(ScanError) in
            var price: ScannedDecimal?
            var size: ScannedDecimal?
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "price") {
                    price = try scanner.decimal(forms.price)
                } else if scanner.equals(key, "qty") {
                    size = try scanner.decimal(forms.size)
                } else {
                    try scanner.skip()
                }
            }
            guard let price, let size else { throw .malformed }
            try append(side, price, size, to: &levels)
        }
    }
}
