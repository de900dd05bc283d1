import Instruments
import MarketData

extension DepthReport {
    /// The report for a person.
    func lines(columns: Int) -> [StyledLine] {
        var condition = StyledLine("● \(view.connection.rawValue)", view.connection.style)
        condition.append("  book \(view.state.name), \(view.reason.name)")
        if !view.detail.isEmpty { condition.append(": \(view.detail)", .faint) }
        var lines = [StyledLine(view.instrument.description, .strong), condition, StyledLine()]
        lines += [
            StyledLine(
                "spread       \(spread ?? "-") (\(spreadInBasisPoints ?? "-") bp"
                    + "\(spreadInTicks.map { ", \($0) ticks" } ?? ""))"),
            StyledLine("mid          \(mid ?? "-")"), StyledLine("micro-price  \(microPrice ?? "-")"),
            StyledLine("imbalance    \(imbalance ?? "-") of the best \(DepthQuery.levels) levels"),
            StyledLine(),
        ]
        lines += nearTable.lines(columns: columns)
        if bids.fill != nil || asks.fill != nil {
            lines += [StyledLine()] + fillTable.lines(columns: columns)
        }
        lines += [StyledLine()] + levelTable(largest: false).lines(columns: columns)
        return lines + [StyledLine()] + levelTable(largest: true).lines(columns: columns)
    }

    private var nearTable: TextTable {
        let percent = DecimalNumber(units: Int64(question.distance), scale: Scale(2) ?? .zero).normalized
        let sides = [("bids", bids.near, TextStyle.bid), ("asks", asks.near, .ask)]
        return TextTable(
            sides,
            [Column("within \(percent) %") { TextTable.Cell($0.0, $0.2) }]
                + Sums.row.columns.map { $0.of { $0.1 } })
    }

    private var fillTable: TextTable {
        TextTable(
            [("buy", asks.fill), ("sell", bids.fill)],
            [Column("to") { TextTable.Cell($0.0) }] + Fill.row.columns.map { $0.of { $0.1 } } + [Self.lack])
    }

    private static let lack = Column<(String, Fill?)>("") {
        TextTable.Cell($0.1?.isComplete == false ? "the book has no more" : "", .warning)
    }

    private func levelTable(largest: Bool) -> TextTable {
        let (left, right) = largest ? (bids.largest, asks.largest) : (bids.levels, asks.levels)
        let what = largest ? "largest " : ""
        var table = TextTable([
            ("size", .right), ("\(what)bid", .right), ("\(what)ask", .left), ("size", .right),
        ])
        for row in 0..<max(left.count, right.count) {
            let bid = row < left.count ? left[row] : ("", "")
            let ask = row < right.count ? right[row] : ("", "")
            table.append([.init(bid.1), .init(bid.0, .bid), .init(ask.0, .ask), .init(ask.1)])
        }
        return table
    }
}
