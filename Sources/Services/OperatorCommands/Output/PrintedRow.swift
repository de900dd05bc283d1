import Shapes

/// A row that a command prints: its fields are told once, and both its line of JSON and its line of a table
/// are made of that.
protocol PrintedRow: WireBody {
    static var row: RowShape<Self> { get }
}

extension PrintedRow {
    static var shape: BodyShape<Self> { row.body }

    /// A table of rows.
    static func table(_ rows: some Sequence<Self>) -> TextTable { TextTable(rows, row.columns) }
}

/// The fields of a row, and the columns of its table.
struct RowShape<Row>: Sendable {
    let body: BodyShape<Row>
    let columns: [Column<Row>]

    /// Tells fields and columns, both in the order in which they are printed.
    init(_ name: String, _ text: String = "", @RowParts<Row> _ parts: () -> [RowPart<Row>]) {
        let parts = parts()
        body = BodyShape(name, text) { parts.compactMap(\.field) }
        columns = parts.compactMap(\.column)
    }
}

/// A column of a table.
struct Column<Row>: Sendable {
    let heading: String
    let alignment: TextTable.Alignment
    let cell: @Sendable (Row) -> TextTable.Cell

    /// A column of what is no field, or of several.
    init(
        _ heading: String, _ alignment: TextTable.Alignment = .left,
        cell: @escaping @Sendable (Row) -> TextTable.Cell
    ) {
        (self.heading, self.alignment, self.cell) = (heading, alignment, cell)
    }

    /// The same of plain text.
    init(
        _ heading: String, _ alignment: TextTable.Alignment = .left,
        text: @escaping @Sendable (Row) -> String
    ) {
        self.init(heading, alignment) { TextTable.Cell(text($0)) }
    }

    /// The same of what a greater row has of such a row; a dash where it has none.
    func of<Whole>(_ part: @escaping @Sendable (Whole) -> Row?) -> Column<Whole> {
        Column<Whole>(heading, alignment) { [cell] whole in
            part(whole).map(cell) ?? TextTable.Cell("-")
        }
    }
}

/// A field, a column, or a field with its column.
struct RowPart<Row> {
    var field: Field<Row>?
    var column: Column<Row>?
}

extension Field {
    /// The field with a column that shows it as it is: headed by its name or by other words, and with a text
    /// that stands for nothing.
    func column(
        _ alignment: TextTable.Alignment = .left, as heading: String? = nil, style: TextStyle = .plain,
        orElse none: String = ""
    ) -> RowPart<Root> {
        column(alignment, as: heading) { [plainText] row in
            let text = plainText(row)
            return TextTable.Cell(text.isEmpty ? none : text, style)
        }
    }

    /// The field with a column that shows it in a form of its own.
    func column(
        _ alignment: TextTable.Alignment = .left, as heading: String? = nil,
        cell: @escaping @Sendable (Root) -> TextTable.Cell
    ) -> RowPart<Root> {
        let heading = heading ?? String(name.map { $0 == "_" ? " " : $0 })
        return RowPart(field: self, column: Column(heading, alignment, cell: cell))
    }
}

/// Puts fields and columns below each other.
@resultBuilder
enum RowParts<Row> {
    static func buildExpression(_ field: Field<Row>) -> RowPart<Row> { RowPart(field: field) }
    static func buildExpression(_ column: Column<Row>) -> RowPart<Row> { RowPart(column: column) }
    static func buildExpression(_ part: RowPart<Row>) -> RowPart<Row> { part }
    static func buildBlock(_ parts: RowPart<Row>...) -> [RowPart<Row>] { parts }
}

extension TextTable {
    init<Row>(_ rows: some Sequence<Row>, _ columns: [Column<Row>]) {
        self.init(columns.map { ($0.heading, $0.alignment) })
        for row in rows { append(columns.map { $0.cell(row) }) }
    }
}

extension Sequence where Element: WireValue {
    /// A line of JSON each.
    var jsonLines: [UInt8] { flatMap { $0.json + [0x0A] } }
}

extension StandardOutput {
    /// Prints rows, as lines of JSON or as a table.
    ///
    /// - Throws: ``OutputClosed`` or ``CommandFailure`` when they cannot be written.
    static func say<Row: PrintedRow>(_ rows: [Row], json isJSON: Bool) throws {
        try say(rows, json: isJSON, Row.row.columns)
    }

    /// Prints bodies whose fields are told elsewhere, as lines of JSON or as a table of these columns.
    ///
    /// - Throws: ``OutputClosed`` or ``CommandFailure`` when they cannot be written.
    static func say<Row: WireValue>(_ rows: [Row], json isJSON: Bool, _ columns: [Column<Row>]) throws {
        if isJSON { return try say(lines: rows) }
        let terminal = Terminal()
        try terminal.print(
            TextTable(rows, columns).lines(
                columns: terminal.isInteractive ? terminal.size.columns : 4_096))
    }

    /// Prints bodies, a line of JSON each.
    ///
    /// - Throws: ``OutputClosed`` or ``CommandFailure`` when they cannot be written.
    static func say(lines bodies: [any WireValue]) throws {
        let output = StandardOutput()
        for body in bodies { try output.writeLine(json: body) }
        try output.flush()
    }
}
