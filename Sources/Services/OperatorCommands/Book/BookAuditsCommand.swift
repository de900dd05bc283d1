import ArgumentParser
import Instruments
import Shapes
import Wire

/// The command `bitpal book audits [VENUE]`.
struct BookAuditsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audits",
        abstract: "Lists what the last comparison of each book with the venue's found.",
        discussion: """
            Every book that is followed is compared by itself, one after the other, as often as \
            `audit.interval` of feed-ingestor says and the venue's limits allow; one that differs is fetched \
            again. Exit status: 0 also where books differed.
            """)

    @Argument(help: "Of this venue alone.")
    var venue: String?

    @OptionGroup var bus: BusOptions

    @Flag(help: "Only books that differed, or could not be compared.")
    var different = false

    @Flag(help: "One JSON object per line.")
    var json = false

    func validate() throws {
        if let venue { try VenueNames.check(venue) }
    }

    func run() async throws {
        let client = try BusClient(bus.addresses())
        let prefix = venue.map { "book.audit.\(Topic.escape($0))." } ?? "book.audit."
        let now = Timestamp.now
        let lines = try await client.state([prefix]).events.compactMap { event -> BookAuditLine? in
            guard case .bookAudit(let id, let said) = event.event else { return nil }
            return BookAuditLine(id: id, said: said, now: now)
        }
        .filter { !different || !$0.isEqual }
        .sorted { $0.id < $1.id }
        if json { return try StandardOutput.say(lines: lines) }
        let terminal = Terminal()
        let columns = terminal.isInteractive ? terminal.size.columns : .max
        try terminal.print(BookAuditLine.table(lines).lines(columns: columns))
    }
}

/// What the last audit of a book found, as it is printed.
struct BookAuditLine: PrintedRow {
    static let row = RowShape<BookAuditLine>("LastBookAudit") {
        Field(all: { InstrumentFields($0.id) })
        Column("book") { TextTable.Cell($0.id.description, .strong) }
        Column("result") { $0.result }
        Field("done", \.said.isDone, "Whether the books could be compared.", example: true)
        Field("equal", \.isEqual, "Whether they were equal.", example: true)
        Field("levels_compared", \.said.levelsCompared, example: 2_000).column(.right, as: "levels")
        Field("levels_different", \.said.levelsDifferent, example: 0)
        Field("differences", \.said.differences, "The first of them, in words.", example: [])
        Field("audited_time", { Timestamp(nanoseconds: $0.said.auditedTimeUnixNanos).iso8601 }, as: .time)
        Column("audited", .right) {
            let age = $0.now.nanoseconds(since: Timestamp(nanoseconds: $0.said.auditedTimeUnixNanos))
            return TextTable.Cell(ClockText.age(nanoseconds: age))
        }
        Field("next_time", \.next, "When it is compared again, at the earliest.", as: .nullable(.time))
        Field("detail", \.said.detail, "What came of it, in words.", example: "all 2000 levels agree")
            .column { TextTable.Cell($0.said.detail) }
    }

    let id: InstrumentID
    let said: Bitpal_V1_BookAudit
    let now: Timestamp

    fileprivate var isEqual: Bool { said.isDone && said.levelsDifferent == 0 }

    private var result: TextTable.Cell {
        if isEqual { return TextTable.Cell("equal", .good) }
        return said.isDone ? TextTable.Cell("different", .bad) : TextTable.Cell("not compared", .warning)
    }

    private var next: String? {
        said.nextTimeUnixNanos == 0 ? nil : Timestamp(nanoseconds: said.nextTimeUnixNanos).iso8601
    }
}
