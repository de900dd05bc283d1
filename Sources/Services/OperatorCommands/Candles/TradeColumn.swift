/// What a file may say of a trade.
enum TradeColumn: Int, CaseIterable {
    case time, ts, price, size, side, id, venue, symbol

    /// The column of a name in a CSV header or a key of a JSON line; `nil` for others, which are not read.
    init?(_ name: UnsafeRawBufferPointer) {
        guard let column = TradeColumn.allCases.first(where: { name.elementsEqual($0.name.utf8) }) else {
            guard name.elementsEqual("amount".utf8) else { return nil }
            self = .size
            return
        }
        self = column
    }

    /// The name; a size may also be called `amount`.
    var name: String {
        switch self {
        case .time: "time"
        case .ts: "ts"
        case .price: "price"
        case .size: "size"
        case .side: "side"
        case .id: "id"
        case .venue: "venue"
        case .symbol: "symbol"
        }
    }
}

/// The texts of one trade, in memory that is used again for the next.
struct TradeFields {
    private var texts = [[UInt8]](repeating: [], count: TradeColumn.allCases.count)

    /// Forgets the trade.
    mutating func removeAll() {
        for index in texts.indices { texts[index].removeAll(keepingCapacity: true) }
    }

    mutating func set(_ column: TradeColumn, _ text: some Collection<UInt8>) {
        texts[column.rawValue].removeAll(keepingCapacity: true)
        texts[column.rawValue].append(contentsOf: text)
    }

    mutating func append(_ column: TradeColumn, _ byte: UInt8) { texts[column.rawValue].append(byte) }

    /// Drops white space around every text.
    mutating func trim() {
        for index in texts.indices {
            while let last = texts[index].last, last <= 0x20 { texts[index].removeLast() }
            let spaces = texts[index].prefix { $0 <= 0x20 }.count
            if spaces > 0 { texts[index].removeFirst(spaces) }
        }
    }

    /// The text of a column; empty when the file says nothing.
    subscript(column: TradeColumn) -> [UInt8] { texts[column.rawValue] }
}
