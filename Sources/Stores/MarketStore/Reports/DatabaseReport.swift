package import Instruments
package import Store

/// What is stored, how much of it, how long it is kept and how old it is.
package struct DatabaseReport: Hashable, Sendable {
    /// One kind of rows.
    package struct Table: Hashable, Sendable {
        /// Such as `trade`, `candle 1m` or `book_snapshot`.
        package let name: String
        /// Number of partitions; `nil` for a table without any.
        package let partitions: Int?
        /// Bytes on the disk, indexes included.
        package let bytes: Int64
        /// Number of rows as the server last estimated it; `nil` before it has.
        package let rows: Int64?
        /// Where the first partition begins; `nil` without partitions.
        package let from: Timestamp?
        /// Where the last partition ends; `nil` without partitions.
        package let to: Timestamp?
        /// Nanoseconds that rows are kept, counted back from a venue's newest; `nil` keeps for ever.
        package let keep: Int64?
        /// When partitions were last looked after; `nil` when never, or where there are none.
        package let swept: Timestamp?
    }

    /// The newest data of one venue.
    package struct Feed: Hashable, Sendable {
        /// Which one.
        package let venue: Venue
        /// Venue time of the newest trade; `nil` without one.
        package let trade: Timestamp?
        /// When it was received.
        package let received: Timestamp?
        /// Venue time of the last trade in the newest candle of one minute; `nil` without one.
        package let candle: Timestamp?
        /// When that candle was written.
        package let written: Timestamp?

        /// Nanoseconds of trades that are in no candle yet; `nil` when one of the two is missing.
        package var lag: Int64? {
            guard let trade, let candle else { return nil }
            return max(0, trade.nanoseconds(since: candle))
        }
    }

    /// What the instances of one service hold.
    package struct Sharing: Hashable, Sendable {
        /// Such as `book-builder`.
        package let service: String
        /// Instances that count as alive.
        package let members: Int
        /// Leases that hold now, of 256.
        package let held: Int
        /// Writes that were refused because the lease was no longer held.
        package let refused: Int64
    }

    package let name: String
    /// Bytes of all of it.
    package let bytes: Int64
    /// The server's clock at the time of the report.
    package let now: Timestamp
    /// Trades and candles first, then the other tables of the schema by name.
    package let tables: [Table]
    /// Venues that have stored data, sorted.
    package let feeds: [Feed]
    /// Services that share instruments, sorted.
    package let sharing: [Sharing]
}

extension Database {
    /// Looks at the schema `market` as a whole, in one snapshot.
    ///
    /// - Throws: ``StoreError``.
    package func report() async throws(StoreError) -> DatabaseReport {
        var options = TransactionOptions.standard
        options.isolation = .repeatableRead
        options.isReadOnly = true
        return try await transaction(options) { session in
            let database = try session.describeDatabase()
            let partitioned = try session.partitionedTables()
            let known = try session.partitions().map(\.kind)
            // Kinds that have no partition yet are left out, not shown as empty.
            return DatabaseReport(
                name: database.name, bytes: database.bytes, now: database.now,
                tables: partitioned.filter { known.contains($0.kind) }.map(\.table)
                    + (try session.wholeTables()),
                feeds: try session.feeds(), sharing: try session.sharing())
        }
    }
}
