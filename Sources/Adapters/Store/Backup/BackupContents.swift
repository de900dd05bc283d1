import Crypto

/// What a backup has of a table, or the database that it was restored into.
struct BackupContents: Equatable {
    /// The names of its columns in their order, with commas between.
    let columns: String
    private(set) var rows = 0
    /// Of the rows' digests: equal for the same rows in whatever order, and for others only by chance.
    private var sum: UInt64 = 0

    init(columns: String = "") { self.columns = columns }

    /// Takes a row, as the line of a backup.
    mutating func add(_ line: String) {
        rows += 1
        sum &+= SHA256.hash(data: Array(line.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// What a file has of each table.
    static func read(_ path: String) throws(BackupProblem) -> [String: BackupContents] {
        let lines = try BackupLines(path: path)
        var tables: [String: BackupContents] = [:]
        var table = ""
        while let line = try lines.next() {
            if line.hasPrefix("{") {
                tables[table, default: BackupContents()].add(line)
            } else if line.hasPrefix("table ") {
                let words = line.split(separator: " ").map(String.init)
                guard words.count == 3 else { continue }
                table = words[1]
                tables[table] = BackupContents(columns: words[2])
            }
        }
        return tables
    }
}
