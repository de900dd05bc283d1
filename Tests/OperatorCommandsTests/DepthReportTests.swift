import Instruments
import MarketData
import MarketState
import Shapes
import Support
import Testing

@testable import OperatorCommands

@Suite("bitpal depth")
struct DepthReportTests {
    private static func view(_ text: String) throws -> BookView {
        let book = try BookText(text)
        var replica = BookReplica()
        _ = replica.apply(
            BookSnapshot(
                state: .live, reason: .verified, priceScale: book.priceScale, sizeScale: book.sizeScale,
                bids: book.bids, asks: book.asks,
                continues: StreamPosition(producer: "feed", epoch: 1, sequence: 7), venueTime: nil,
                receivedTime: .zero))
        return BookView(
            replica, of: InstrumentID(venue: .kraken, symbol: "BTC/USD"),
            range: BookRange(depth: DepthQuery.levels, within: nil))
    }

    private static func number(_ text: String) throws -> DecimalNumber { try DecimalNumber(parsing: text) }

    private static func json(_ report: DepthReport) -> String {
        String(decoding: report.json, as: UTF8.self)
    }

    private static let text = "bids 99.0×1.0 98.0×3.0 90.0×9.0 | asks 101.0×3.0 102.0×2.0 130.0×8.0"

    @Test("says spread, middle, micro-price, imbalance, sums and greatest levels")
    func figures() throws {
        let tick = try Self.number("0.5")
        let report = try DepthReport(
            try Self.view(Self.text), DepthQuery(terms: .spot, priceTick: tick))
        #expect(report.spreadInTicks == "4")
        #expect(report.spread == "2" && report.spreadInBasisPoints == "200" && report.mid == "100")
        // (99·3 + 101·1) / 4.
        #expect(report.microPrice == "99.5")
        // (13 − 13) / 26.
        #expect(report.imbalance == "0")
        #expect(report.bids.near?.levels == 2 && report.bids.near?.size == "4")
        // 99 + 3·98 and 3·101 + 2·102.
        #expect(report.bids.near?.value == "393" && report.asks.near?.value == "507")
        #expect(report.bids.largest.map(\.price) == ["90", "98", "99"])
        #expect(report.bids.fill == nil)
    }

    @Test("says what a quantity or an amount costs, and when the book has no more")
    func fills() throws {
        let view = try Self.view(Self.text)
        let bought = try DepthReport(
            view, DepthQuery(quantity: try Self.number("4"), terms: .spot)
        ).asks.fill
        // (3·101 + 102) / 4 = 101.25, which is 0.25 / 101 above the best.
        #expect(bought?.averagePrice == "101.25" && bought?.slippage == "24.7525")
        #expect(bought?.worstPrice == "102" && bought?.levels == 2 && bought?.isComplete == true)
        let thin = try DepthReport(
            view, DepthQuery(quantity: try Self.number("14"), terms: .spot)
        ).bids.fill
        #expect(thin?.isComplete == false && thin?.quantity == "13")
        let amount = try DepthReport(
            view, DepthQuery(amount: try Self.number("248"), terms: .spot)
        ).bids.fill
        // 99 buys 1, and 149 of the next level's 98 are 1.5204…
        #expect(amount?.quantity == "2.52041" && amount?.levels == 2)
        #expect(throws: CommandFailure.self) {
            try DepthReport(view, DepthQuery(quantity: try Self.number("0.001"), terms: .spot))
        }
    }

    @Test("joins levels on a grid, away from the middle")
    func groups() throws {
        let report = try DepthReport(try Self.view(Self.text), DepthQuery(tick: try Self.number("10")))
        #expect(report.bids.levels.map { "\($0.price)×\($0.size)" } == ["90×13"])
        #expect(report.asks.levels.map { "\($0.price)×\($0.size)" } == ["110×5", "130×8"])
        // Nobody said what a contract is worth.
        #expect(report.bids.near?.value == nil)
        #expect(throws: CommandFailure.self) {
            try DepthReport(try Self.view(Self.text), DepthQuery(tick: try Self.number("0.01")))
        }
    }

    @Test("prints one object, and nulls for a side that is empty")
    func object() throws {
        let report = try DepthReport(
            try Self.view("bids 99.0×1.5 | asks"),
            DepthQuery(distance: 100, quantity: try Self.number("1"), terms: .spot))
        #expect(
            Self.json(report)
                == #"{"venue":"kraken","symbol":"BTC/USD","state":"live","reason":"verified","sequence":7,"#
                + #""spread":null,"spread_basis_points":null,"spread_ticks":null,"mid":null,"micro_price":null,"imbalance":"1","#
                + #""within_basis_points":100,"bids":{"within":null,"levels":[["99","1.5"]],"largest":[["99","1.5"]]},"#
                + #""asks":{"within":null,"levels":[],"largest":[]},"sell":{"complete":true,"levels":1,"#
                + #""quantity":"1","average_price":"99","worst_price":"99","slippage_basis_points":"0"},"buy":null}"#
        )
        let lines = report.lines(columns: 100).map(\.text)
        #expect(lines.contains("spread       - (- bp)") && lines.contains { $0.hasPrefix("within 1 %") })
    }
}
