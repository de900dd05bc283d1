import Instruments
import MarketData

/// What a message does to a table.
enum BitMEXAction: Hashable {
    case partial, insert, update, delete

    init?(_ scanner: borrowing JSONScanner, _ text: JSONText) {
        if scanner.equals(text, "update") {
            self = .update
        } else if scanner.equals(text, "insert") {
            self = .insert
        } else if scanner.equals(text, "delete") {
            self = .delete
        } else if scanner.equals(text, "partial") {
            self = .partial
        } else {
            return nil
        }
    }
}

/// Why the rows of a message cannot be applied to the book that we hold.
enum BitMEXContradiction: Error {
    case unknownID(UInt64)
    case knownID(UInt64)
    case priceOfOtherID(UInt64)
    case incomplete(UInt64)
    case outOfRange

    var reason: BookStateReason {
        switch self {
        case .unknownID, .knownID, .priceOfOtherID: .unknownLevel
        case .incomplete: .malformedMessage
        case .outOfRange: .numberOutOfRange
        }
    }

    var detail: String {
        switch self {
        case .unknownID(let id): "id \(id) is not in the book"
        case .knownID(let id): "id \(id) is in the book already"
        case .priceOfOtherID(let id): "id \(id) does not have the price that it is said to have"
        case .incomplete(let id): "row of id \(id) lacks a price or a size"
        case .outOfRange: "a number does not fit 63 bits"
        }
    }
}

/// One row of `orderBookL2`.
struct BitMEXRow {
    var index: InstrumentIndex
    var id: UInt64
    var side: BookSide
    var price: DecimalNumber?
    var size: DecimalNumber?
    var venueTime: Timestamp?

    /// Reads one row; `nil` for a symbol that `find` does not know.
    @inline(__always)
    static func read(
        _ scanner: inout JSONScanner, find: (UnsafeRawBufferPointer) -> InstrumentIndex?
    ) throws(ScanError) -> BitMEXRow? {
        let start = scanner.index
        if let row = readInOrder(&scanner, find: find) { return row }
        scanner.index = start
        return try readAnyOrder(&scanner, find: find)
    }

    /// Reads a row whose keys come as the venue writes them; `nil` for any other.
    @inline(__always)
    private static func readInOrder(
        _ scanner: inout JSONScanner, find: (UnsafeRawBufferPointer) -> InstrumentIndex?
    ) -> BitMEXRow? {
        do throws(ScanError) {
            guard scanner.takeExactly("{\"symbol\":") else { return nil }
            let symbol = try scanner.text()
            guard let index = find(scanner.bytes(symbol)), scanner.takeExactly(",\"id\":") else { return nil }
            let id = try scanner.integer()
            guard id >= 0, scanner.takeExactly(",\"side\":\"") else { return nil }
            let isBid = scanner.takeExactly("Buy\"")
            guard isBid || scanner.takeExactly("Sell\"") else { return nil }
            var row = BitMEXRow(index: index, id: UInt64(id), side: isBid ? .bid : .ask)
            if scanner.takeExactly(",\"size\":") {
                // Whole contracts; a size of another form goes the general way.
                row.size = DecimalNumber(units: try scanner.integer(), scale: .zero)
            }
            if scanner.takeExactly(",\"price\":") { row.price = try scanner.rawDecimal() }
            if scanner.takeExactly(",\"timestamp\":") {
                let text = try scanner.text()
                row.venueTime = Timestamp(iso8601: scanner.bytes(text))
                if scanner.takeExactly(",\"transactTime\":") { _ = try scanner.text() }
            }
            return scanner.takeExactly("}") ? row : nil
        } catch {
            return nil
        }
    }

    @inline(never)
    private static func readAnyOrder(
        _ scanner: inout JSONScanner, find: (UnsafeRawBufferPointer) -> InstrumentIndex?
    ) throws(ScanError) -> BitMEXRow? {
        var index: InstrumentIndex?
        var id: Int64?
        var side: BookSide?
        var price: DecimalNumber?
        var size: DecimalNumber?
        var venueTime: Timestamp?
        var hasSymbol = false
        var isKnown = true
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "symbol") {
                let symbol = try scanner.text()
                index = find(scanner.bytes(symbol))
                hasSymbol = true
                isKnown = index != nil
            } else if scanner.equals(key, "id") {
                id = try scanner.integer()
            } else if scanner.equals(key, "side") {
                let text = try scanner.text()
                if scanner.equals(text, "Buy") {
                    side = .bid
                } else if scanner.equals(text, "Sell") {
                    side = .ask
                }
            } else if scanner.equals(key, "size") {
                if try !scanner.takeNull() { size = try scanner.rawDecimal() }
            } else if scanner.equals(key, "price") {
                if try !scanner.takeNull() { price = try scanner.rawDecimal() }
            } else if scanner.equals(key, "timestamp"), try scanner.peek() == 0x22 {
                let text = try scanner.text()
                venueTime = Timestamp(iso8601: scanner.bytes(text))
            } else {
                try scanner.skip()
            }
        }
        guard hasSymbol, let id, id >= 0, let side else { throw .malformed }
        guard isKnown, let index else { return nil }
        return BitMEXRow(
            index: index, id: UInt64(id), side: side, price: price, size: size, venueTime: venueTime)
    }
}
