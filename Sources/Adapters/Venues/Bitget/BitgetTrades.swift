import Instruments
import MarketData

/// A trade as a row says it: an object of v2 and of REST, an array of v1.
struct BitgetTradeRow {
    /// Empty in v1.
    var id = ""
    var side: Side
    var price: DecimalNumber
    var size: DecimalNumber
    var venueTime: Timestamp

    init(_ scanner: inout JSONScanner) throws(ScanError) {
        var id = ""
        var side: Side?
        var (price, size): (DecimalNumber?, DecimalNumber?)
        var venueTime: Timestamp?
        if try scanner.peek() == 0x5B {
            try scanner.row(4) { scanner, place throws(ScanError) in
                switch place {
                case 0: venueTime = try scanner.venueTime()
                case 1: price = try scanner.anyDecimal()
                case 2: size = try scanner.anyDecimal()
                default: side = try scanner.takerSide()
                }
            }
        } else {
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "tradeId") {
                    id = scanner.string(try scanner.scalarText()) ?? ""
                } else if scanner.equals(key, "price") {
                    price = try scanner.anyDecimal()
                } else if scanner.equals(key, "size") {
                    size = try scanner.anyDecimal()
                } else if scanner.equals(key, "side") {
                    side = try scanner.takerSide()
                } else if scanner.equals(key, "ts") {
                    venueTime = try scanner.venueTime()
                } else {
                    try scanner.skip()
                }
            }
            guard !id.isEmpty else { throw .malformed }
        }
        guard let side, let price, let size, let venueTime else { throw .malformed }
        (self.id, self.side, self.price, self.size, self.venueTime) = (id, side, price, size, venueTime)
    }
}

extension BitgetSession {
    mutating func say(
        _ row: BitgetTradeRow, _ index: InstrumentIndex, isBackfill: Bool, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        guard output.accepts(row.price, row.size, of: index, id: row.id) else { return }
        let (price, size) = try core.scale(row.price, row.size, index)
        let scales = core.scales(of: index)
        var id = row.id
        if id.isEmpty {
            id = ordinals[index.offset].id(
                time: row.venueTime, side: row.side, price: row.price, size: row.size)
        }
        let trade = Trade(
            id: id, side: row.side, price: price, size: size, priceScale: scales.price,
            sizeScale: scales.size, venueTime: row.venueTime, receivedTime: time, isBackfill: isBackfill)
        output.events.append(.trade(index, trade))
    }
}

extension JSONScanner {
    /// `buy` or `sell`, in any case.
    fileprivate mutating func takerSide() throws(ScanError) -> Side {
        let text = try text()
        if equals(text, "buy") || equals(text, "Buy") || equals(text, "BUY") { return .buy }
        if equals(text, "sell") || equals(text, "Sell") || equals(text, "SELL") { return .sell }
        throw .malformed
    }

    /// Reads `data` of an answer whose `code` is 00000; any other is unreadable.
    mutating func bitgetData(
        _ body: (inout JSONScanner) throws(ScanError) -> Void
    ) throws(ScanError) {
        var code: Int64 = -1
        var data: Int?
        try object { scanner, key throws(ScanError) in
            if scanner.equals(key, "code") {
                code = try scanner.integer()
            } else if scanner.equals(key, "data") {
                data = scanner.index
                try scanner.skip()
            } else {
                try scanner.skip()
            }
        }
        try expectEnd()
        guard code == 0, let data else { throw .malformed }
        index = data
        try body(&self)
    }
}
