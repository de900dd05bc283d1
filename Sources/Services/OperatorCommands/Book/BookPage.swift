import Instruments
import MarketData

/// Draws a book as lines of text: a pure function of the view and the room that there is.
///
/// Where both sides fit next to one another, bids stand at the left and asks at the right of a middle line.
/// Where they do not, asks stand above the spread and bids below it; then the share goes first and the total
/// second.
struct BookPage {
    private let view: BookView
    private let columns: Int
    /// The rows of the screen; `nil` for no limit.
    private let rows: Int?

    init(_ view: BookView, columns: Int, rows: Int?) {
        self.view = view
        self.columns = max(20, columns)
        self.rows = rows
    }

    /// Everything from the instrument's name to the last level.
    var lines: [StyledLine] {
        (head + body).map { $0.clipped(to: columns) }
    }

    // MARK: - Head

    private var head: [StyledLine] {
        var title = StyledLine(view.instrument.description, .strong)
        if let time = view.receivedTime {
            title.appendRight(ClockText.time(time) + " UTC", .faint, columns: columns)
        }
        var condition = StyledLine("● \(view.connection.rawValue)", view.connection.style)
        condition.append("  book \(view.word), \(view.reason.name)")
        if !view.detail.isEmpty { condition.append(": \(view.detail)", .faint) }
        return [title, condition, StyledLine(spread ?? "no spread"), StyledLine()]
    }

    private var spread: String? {
        guard let bid = view.book.bestBid, let ask = view.book.bestAsk else { return nil }
        let (low, high) = (Int128(bid.price.rawValue), Int128(ask.price.rawValue))
        let scale = view.book.priceScale
        let difference = DecimalNumber(
            units: ask.price.rawValue &- bid.price.rawValue, scale: scale
        ).normalized
        guard low + high > 0, high >= low else { return "spread \(difference)" }
        // (ask - bid) / ((ask + bid) / 2) in hundredths of a basis point, rounded half up.
        let points = ((high - low) * 4_000_000 + (low + high)) / ((low + high) * 2)
        return "spread \(difference) (\(WideText.text(points, .hundredths, shown: .hundredths)) bp)"
    }

    // MARK: - Body

    private var body: [StyledLine] {
        let whole = LadderTable(view.book, view.range)
        guard !whole.bids.isEmpty || !whole.asks.isEmpty else {
            return [StyledLine(view.state == .live ? "The book is empty." : "No levels yet.", .faint)]
        }
        let widths = LadderWidths(whole)
        for gap in [2, 1] where widths.side(4, gap: gap) * 2 + 3 <= columns {
            return sideBySide(whole, widths, gap)
        }
        let count = [4, 3].first { widths.side($0, gap: 1) <= columns } ?? 2
        return stacked(whole, widths, count)
    }

    /// Rows of the screen that are left for levels.
    private func room(for lines: Int) -> Int { rows.map { max(1, $0 - 4 - lines) } ?? .max }

    private func sideBySide(_ table: LadderTable, _ widths: LadderWidths, _ gap: Int) -> [StyledLine] {
        let half = (columns - 3) / 2
        var titles = StyledLine(widths.titles(4, gap: gap, isMirrored: true).text.right(half), .faint)
        titles.append(" │ ", .faint)
        titles.append(widths.titles(4, gap: gap, isMirrored: false))
        var lines = [titles]
        let count = min(max(table.bids.count, table.asks.count), room(for: 1))
        for index in 0..<count {
            var line = StyledLine()
            if index < table.bids.count {
                let row = widths.row(table.bids[index], .bid, 4, gap: gap, isMirrored: true)
                line.pad(to: half - row.width)
                line.append(row)
            } else {
                line.pad(to: half)
            }
            line.append(" │", .faint)
            if index < table.asks.count {
                line.append(" ")
                line.append(widths.row(table.asks[index], .ask, 4, gap: gap, isMirrored: false))
            }
            lines.append(line)
        }
        return lines
    }

    private func stacked(_ table: LadderTable, _ widths: LadderWidths, _ count: Int) -> [StyledLine] {
        let room = room(for: 2) == .max ? Int.max : max(1, room(for: 2) / 2)
        let gap = widths.side(count, gap: 2) <= columns ? 2 : 1
        var lines = [widths.titles(count, gap: gap, isMirrored: false)]
        for row in table.asks.prefix(room).reversed() {
            lines.append(widths.row(row, .ask, count, gap: gap, isMirrored: false))
        }
        lines.append(StyledLine(String(repeating: "─", count: widths.side(count, gap: gap)), .faint))
        for row in table.bids.prefix(room) {
            lines.append(widths.row(row, .bid, count, gap: gap, isMirrored: false))
        }
        return lines
    }
}
