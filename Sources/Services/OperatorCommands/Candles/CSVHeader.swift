/// The first line of a CSV file and how to read the others by it.
///
/// Source: RFC 4180; a quoted field ends on its own line.
struct CSVHeader {
    /// For every column of the file what it is, `nil` for what is not read.
    private let columns: [TradeColumn?]

    /// The names of a header, or what is wrong with them.
    init(_ line: UnsafeRawBufferPointer) throws(TradeFault) {
        var names: [[UInt8]] = [[]]
        try CSVHeader.walk(line) { column, byte in
            while names.count <= column { names.append([]) }
            if let byte { names[column].append(byte) }
        }
        var seen: Set<[UInt8]> = []
        var columns: [TradeColumn?] = []
        for name in names {
            let plain = name.filter { $0 != 0x20 }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
            let column = plain.withUnsafeBytes { TradeColumn($0) }
            // Two names of one column are the same name twice.
            let shown = column.map { Array($0.name.utf8) } ?? plain
            guard plain.isEmpty || seen.insert(shown).inserted else {
                throw .header(
                    "the header names the column \(String(decoding: shown.prefix(60), as: UTF8.self)) twice")
            }
            columns.append(column)
        }
        self.columns = columns
        let known = columns.compactMap { $0 }
        for column in [TradeColumn.price, .size] where !known.contains(column) {
            throw .header("the header has no column \(column.name); \(CSVHeader.accepted)")
        }
        guard known.contains(.time) || known.contains(.ts) else {
            throw .header("the header has no column time; \(CSVHeader.accepted)")
        }
    }

    private static let accepted =
        "wanted are JSON lines, or a header with time, price and size, and if known side, id, venue and symbol"

    /// Reads a line; the fields are empty before.
    func read(_ line: UnsafeRawBufferPointer, into fields: inout TradeFields) throws(TradeFault) {
        var last = 0
        try CSVHeader.walk(line) { index, byte in
            last = index
            guard let byte, index < columns.count, let column = columns[index] else { return }
            fields.append(column, byte)
        }
        guard last + 1 == columns.count else {
            throw .line("has \(last + 1) fields, and the header \(columns.count)")
        }
        fields.trim()
    }

    /// Hands over every byte of every field with the field's number, and `nil` where a field begins.
    private static func walk(
        _ line: UnsafeRawBufferPointer, _ body: (Int, UInt8?) -> Void
    ) throws(TradeFault) {
        var column = 0
        var isQuoted = false
        var index = 0
        body(0, nil)
        while index < line.count {
            let byte = line[index]
            index += 1
            switch byte {
            case 0x22 where isQuoted && index < line.count && line[index] == 0x22:
                body(column, byte)
                index += 1
            case 0x22: isQuoted.toggle()
            case 0x2C where !isQuoted:
                column += 1
                body(column, nil)
            default: body(column, byte)
            }
        }
        if isQuoted { throw .line("has a quoted field without its end") }
    }
}
