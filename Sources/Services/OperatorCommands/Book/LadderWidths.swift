import MarketData

/// How wide each column of a ladder is, and its rows at those widths.
struct LadderWidths: Sendable {
    private let widths: [Int]
    private static let names = ["price", "size", "total", "share"]

    /// Wide enough for every row of both sides.
    init(_ table: LadderTable) {
        let rows = table.bids + table.asks
        widths = [\LadderRow.price, \.size, \.total, \.share].enumerated().map { index, column in
            rows.reduce(LadderWidths.names[index].count) { max($0, $1[keyPath: column].count) }
        }
    }

    /// Columns that the first `count` of price, size, total and share take.
    func side(_ count: Int, gap: Int) -> Int { widths.prefix(count).reduce(0, +) + gap * (count - 1) }

    func titles(_ count: Int, gap: Int, isMirrored: Bool) -> StyledLine {
        line(LadderWidths.names.map { ($0, .faint) }, count, gap, isMirrored)
    }

    func row(_ row: LadderRow, _ side: BookSide, _ count: Int, gap: Int, isMirrored: Bool) -> StyledLine {
        let colour = side == .bid ? TextStyle.bid : .ask
        let cells = [(row.price, colour), (row.size, .plain), (row.total, .plain), (row.share, .faint)]
        return line(cells, count, gap, isMirrored)
    }

    private func line(_ cells: [(String, TextStyle)], _ count: Int, _ gap: Int, _ isMirrored: Bool)
        -> StyledLine
    {
        var line = StyledLine()
        let order = isMirrored ? Array((0..<count).reversed()) : Array(0..<count)
        for (place, index) in order.enumerated() {
            if place > 0 { line.append(String(repeating: " ", count: gap)) }
            line.append(cells[index].0.right(widths[index]), cells[index].1)
        }
        return line
    }
}
