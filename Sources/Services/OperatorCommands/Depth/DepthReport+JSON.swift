import MarketData
import Shapes

extension DepthReport: WireBody {
    static let shape = BodyShape<DepthReport>("Depth", "What is not known is null.") {
        Field(all: { InstrumentFields($0.view.instrument) })
        Field("state", \.view.state.name, as: .words(BookState.allCases.map(\.name)), example: "live")
        Field("reason", \.view.reason.name, "Why its state is so.", example: "verified")
        Field("sequence", \.view.position?.sequence, "The number of its last change.", example: 123_456)
        Field("spread", \.spread, "Best ask less best bid.", as: .known, example: "0.1")
        Field(
            "spread_basis_points", \.spreadInBasisPoints, "The same in basis points of mid.", as: .known,
            example: "0.0164")
        Field(
            "spread_ticks", \.spreadInTicks, "The same in steps of the venue's.", as: .known, example: "1")
        Field("mid", \.mid, "Half way between best bid and best ask.", as: .known, example: "61000.45")
        Field(
            "micro_price", \.microPrice, "Nearer to the side that has less.", as: .known,
            example: "61000.46")
        Field(
            "imbalance", \.imbalance, "Bids less asks over their sum, of the best levels: -1 to 1.",
            as: .known, example: "0.12")
        Field(
            "within_basis_points", \.question.distance, "How far from mid sums go.", example: 500)
        Field("bids", \.bids)
        Field("asks", \.asks)
        Field("sell", \.bids.fill, "What it takes to sell what was asked for.")
        Field("buy", \.asks.fill, "What it takes to buy what was asked for.")
    }
}

extension DepthReport.Side: WireBody {
    static let shape = BodyShape<DepthReport.Side>("DepthSide") {
        Field("within", \.near, "The levels that are near; null without a middle price.")
        Field("levels", { Self.texts($0.levels) }, "Price and size, best first.", as: .levels)
        Field("largest", { Self.texts($0.largest) }, "Price and size, greatest first.", as: .levels)
    }

    private static func texts(_ levels: [(price: String, size: String)]) -> [[String]] {
        levels.map { [$0.price, $0.size] }
    }
}

extension DepthReport.Sums: PrintedRow {
    static let row = RowShape<DepthReport.Sums>("DepthSums") {
        Field("levels", \.levels, example: 120).column(.right)
        Field("size", \.size, as: .decimal, example: "85.5").column(.right)
        Field("value", \.value, "In the quote asset.", as: .known, example: "5215000")
            .column(.right, orElse: "-")
    }
}

extension DepthReport.Fill: PrintedRow {
    static let row = RowShape<DepthReport.Fill>("DepthFill") {
        Field("complete", \.isComplete, "Whether the book holds all that was asked for.", example: true)
        Field("levels", \.levels, "Levels that are touched.", example: 3)
        Field("quantity", \.quantity, "In units of size.", as: .known, example: "1.5")
            .column(.right, orElse: "-")
        Field("average_price", \.averagePrice, as: .known, example: "61001.2")
            .column(.right, as: "average", orElse: "-")
        Field("worst_price", \.worstPrice, "Of the last level that is touched.", as: .decimal)
            .column(.right, as: "worst")
        Field("slippage_basis_points", \.slippage, "Against the best price.", as: .known, example: "0.1148")
            .column(.right, as: "slippage bp", orElse: "-")
        Column("levels", .right) { TextTable.Cell("\($0.levels)") }
    }
}

extension Schema {
    /// A decimal, or null where it is not known.
    fileprivate static let known = nullable(.decimal)
}
