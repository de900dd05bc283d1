package import AccountStore
package import Instruments
package import LedgerFiles
import MarketStore
package import Portfolio
package import Store

/// What was read from a file, with the lines that it came from.
package struct ImportedFile: Hashable, Sendable {
    /// A line that adds nothing, and why.
    package struct Line: Hashable, Sendable {
        /// From 1.
        package var number: Int
        package var reason: String

        package init(_ number: Int, _ reason: String) {
            self.number = number
            self.reason = reason
        }
    }

    /// The file's name, for people.
    package var source: String
    package var format: String
    /// Its rows, in the file's order.
    package var rows: [Transaction]
    /// The line of each of ``rows``.
    package var lines: [Int]
    /// Lines that could not be read as rows.
    package var skipped: [Line]
    /// Lines that were read, but not all that they say, or that are odd, and why.
    package var remarks: [Line] = []
    /// What it says of the portfolio besides, as our own JSON does.
    package var settings: PortfolioSettings?
    /// Whether assets that nobody knows are taken as they are: its owner has said so.
    package var takesUnknownAssets = false

    package init(
        source: String, format: String, rows: [Transaction], lines: [Int], skipped: [Line] = []
    ) {
        self.source = source
        self.format = format
        self.rows = rows
        self.lines = lines
        self.skipped = skipped
    }
}

/// What an import did, or would do.
package struct ImportReport: Hashable, Sendable {
    /// Its number within the portfolio, from 1; `nil` when nothing was stored.
    package var number: Int32?
    /// The numbers of the new transactions.
    package var transactions: ClosedRange<Int64>?
    /// How many were added.
    package var added: Int
    /// Assets that were taken though no market of this installation trades them and no ledger of the user
    /// named them before, by name.
    package var unknownAssets: [Asset] = []
    /// What became of the file's settings, each in one sentence; nothing of what was the same already.
    package var settings: [String] = []
    /// Lines that added nothing, by line.
    package var skipped: [ImportedFile.Line]
}

/// An import that added something.
package struct StoredImport: Hashable, Sendable {
    /// Its number within the portfolio, from 1.
    package var number: Int32
    /// When it was added.
    package var made: Timestamp
    /// The file's name.
    package var source: String
    package var format: String
    /// Rows that were read.
    package var rows: Int32
    /// Rows that were new.
    package var added: Int32
}

extension Session {
    /// The imports of a portfolio, the first one first.
    package func imports(of portfolio: PortfolioID, by user: UserID) throws(StoreError) -> [StoredImport] {
        try rows(
            """
            SELECT number, made_at, source, format, rows, added FROM portfolio.import
            WHERE portfolio_id = \(portfolio) AND \(owned: portfolio, by: user)
            ORDER BY number
            """
        ) { row in
            StoredImport(
                number: try row.int32(), made: try row.time(), source: try row.text(),
                format: try row.text(), rows: try row.int32(), added: try row.int32())
        }
    }

    /// The lines of an import that added nothing, by line.
    package func importLines(
        of number: Int32, in portfolio: PortfolioID, by user: UserID
    ) throws(StoreError) -> [ImportedFile.Line] {
        try rows(
            """
            SELECT line, reason FROM portfolio.import_line
            WHERE portfolio_id = \(portfolio) AND number = \(number) AND \(owned: portfolio, by: user)
            ORDER BY line
            """
        ) { row in ImportedFile.Line(Int(try row.int32()), try row.text()) }
    }
}
