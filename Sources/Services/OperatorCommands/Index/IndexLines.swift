import Instruments
import Shapes
import Wire

/// An index price, as it is printed.
struct IndexLine: PrintedRow {
    static let row = RowShape<IndexLine>("IndexPrice") {
        Field("pair", \.said.pair, example: "BTC-USD").column(as: "index", style: .strong)
        Field("price", \.said.price.known, as: .nullable(.decimal), example: "61000.5")
            .column(.right, orElse: "-")
        Column("markets", .right) { line in
            let counting = line.said.constituents.count { $0.exclusion.isEmpty }
            return TextTable.Cell("\(counting)/\(line.said.constituents.count)")
        }
        Field("unavailable", \.said.unavailable.known, "Why there is no price.").column(as: "") {
            let why = $0.said.unavailable
            return why.isEmpty ? TextTable.Cell("") : TextTable.Cell("unavailable: \(why)", .warning)
        }
        Field("time", { Timestamp(nanoseconds: $0.said.computedTimeUnixNanos).iso8601 }, as: .time)
        Field(
            "constituents", { $0.said.constituents.map(IndexMarketLine.init) }, "What it is made of.")
    }

    let said: Bitpal_V1_IndexPrice
}

/// A market's part in an index price.
struct IndexMarketLine: PrintedRow {
    static let row = RowShape<IndexMarketLine>("IndexConstituent") {
        Field("instrument", \.said.instrument, example: "kraken:BTC/USD").column(as: "market")
        Field("price", \.said.price.known, as: .nullable(.decimal), example: "61000.5")
            .column(.right, orElse: "-")
        Field("weight", \.said.weight.known, "Its volume of 24 hours.", as: .nullable(.decimal))
            .column(.right, orElse: "-")
        Field("exclusion", \.said.exclusion.known, "Why it does not count; null where it does.")
            .column(as: "counts") {
                let why = $0.said.exclusion
                return why.isEmpty ? TextTable.Cell("yes", .good) : TextTable.Cell("no: \(why)", .warning)
            }
    }

    let said: Bitpal_V1_IndexConstituent
}

extension String {
    /// The empty text is what nobody knows.
    fileprivate var known: String? { isEmpty ? nil : self }
}
