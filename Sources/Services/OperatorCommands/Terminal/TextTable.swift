/// Rows in columns as wide as their widest cell.
struct TextTable: Sendable {
    enum Alignment: Sendable { case left, right }

    struct Cell: Sendable {
        var text: String
        var style: TextStyle

        /// What is told to a terminal and not written by it, such as in the note of a file from elsewhere, is
        /// shown as one sign each.
        init(_ text: String, _ style: TextStyle = .plain) {
            self.text = text.unicodeScalars.contains(where: Cell.isControl) ? Cell.shown(text) : text
            self.style = style
        }

        private static func shown(_ text: String) -> String {
            var shown = String.UnicodeScalarView()
            for scalar in text.unicodeScalars { shown.append(isControl(scalar) ? "\u{FFFD}" : scalar) }
            return String(shown)
        }

        private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
            scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        }
    }

    private let columns: [(title: String, alignment: Alignment)]
    private(set) var rows: [[Cell]] = []

    init(_ columns: [(String, Alignment)]) {
        self.columns = columns.map { (title: $0.0, alignment: $0.1) }
    }

    /// - Precondition: as many cells as columns.
    mutating func append(_ cells: [Cell]) {
        precondition(cells.count == columns.count, "a row has as many cells as the table has columns")
        rows.append(cells)
    }

    /// The titles and the rows, each cut to a width.
    func lines(columns limit: Int) -> [StyledLine] {
        let titles = columns.map { Cell($0.title, .faint) }
        let widths = columns.indices.map { column in
            rows.reduce(columns[column].title.count) { max($0, $1[column].text.count) }
        }
        return ([titles] + rows).map { cells in
            var line = StyledLine()
            for (index, cell) in cells.enumerated() {
                if index > 0 { line.append("  ") }
                let isLast = index == cells.count - 1
                switch columns[index].alignment {
                case .right: line.append(cell.text.right(widths[index]), cell.style)
                case .left: line.append(isLast ? cell.text : cell.text.left(widths[index]), cell.style)
                }
            }
            return line.clipped(to: limit)
        }
    }
}
