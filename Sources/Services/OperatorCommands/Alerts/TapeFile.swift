import Instruments
import MarketData
import Recordings

/// The trades of files in the order of time, as `bitpal normalize --emit trades` prints them, or CSV
/// `time,price,size,side,id`.
struct TapeFile {
    /// A trade with as much of its instrument as the row says.
    struct Row {
        var venue: String?
        var symbol: String?
        var trade: Trade
    }

    /// In the order of their times, and of the files among equals.
    private(set) var rows: [Row] = []
    /// What of each file could not be read.
    private(set) var faults: [InputFaults] = []

    /// Reads files.
    ///
    /// - Throws: ``CommandFailure`` naming file, line, field, value and what is accepted.
    init(paths: [String], policy: FaultPolicy = .stop) throws {
        var rows: [Row] = []
        for path in paths {
            let table = try TableFile(path: path)
            faults.append(try table.forEachRow(policy) { rows.append(try TapeFile.row($0, table)) })
        }
        self.rows = TapeFile.once(
            rows.enumerated().sorted { left, right in
                let (first, second) = (left.element.trade.venueTime, right.element.trade.venueTime)
                return first == second ? left.offset < right.offset : first < second
            }.map(\.element))
    }

    /// Each trade once, also where files overlap: one that has an id is known by it.
    private static func once(_ rows: [Row]) -> [Row] {
        var (time, seen) = (Timestamp.zero, Set<[String]>())
        return rows.filter { row in
            if row.trade.venueTime != time { (time, seen) = (row.trade.venueTime, []) }
            guard !row.trade.hasDerivedID else { return true }
            return seen.insert([row.venue ?? "", row.symbol ?? "", row.trade.id]).inserted
        }
    }

    private static func row(_ row: TableFile.Row, _ table: TableFile) throws -> Row {
        let when = row.value("time", "ts")
        guard let time = when.flatMap(TradeTime.parse) else {
            throw table.fault(row, "time", when, accepted: TradeTime.accepted)
        }
        let price = try decimal(row, table, "price", row.value("price"))
        let size = try decimal(row, table, "size", row.value("size", "amount"))
        let direction = row.value("side")
        guard let side = Side.allCases.first(where: { $0.name == direction?.lowercased() }) else {
            throw table.fault(row, "side", direction, accepted: "buy or sell")
        }
        // A trade without an id is marked as one whose id we made.
        let id = row.value("id") ?? "~"
        return Row(
            venue: row.value("venue"), symbol: row.value("symbol"),
            trade: Trade(
                id: id, side: side, price: Price(price.units), size: Quantity(size.units),
                priceScale: price.scale, sizeScale: size.scale, venueTime: time, receivedTime: time))
    }

    private static func decimal(
        _ row: TableFile.Row, _ table: TableFile, _ name: String, _ text: String?
    ) throws -> DecimalNumber {
        guard let text, let number = try? DecimalNumber(parsing: text), number.units > 0 else {
            throw table.fault(row, name, text, accepted: "a decimal above 0 such as \"61000.5\"")
        }
        return number
    }
}
