import Foundation
import Instruments
import Portfolio

/// 100,000 portfolios of 20 holdings each, revalued as prices come.
enum RevaluationBench {
    private static let portfolios = 100_000
    private static let assets = (0..<200).map { Asset(rawValue: "COIN\($0)") }
    private static let dollar = Asset(rawValue: "USD")

    static func run() -> [Measurement] {
        var board = board()
        var tick: Int64 = 0
        let all = median(3) {
            tick += 1
            return rate(of: &board, assets[...], tick)
        }
        let one = median(3) {
            tick += 1
            return rate(of: &board, assets[7...7], tick)
        }
        return [
            Measurement(
                "100,000 portfolios of 20 holdings, every price changes", "holdings/s", all,
                goal: "2,000,000/s a core", meets: all >= 2_000_000),
            Measurement(
                "the same, one price of 200 changes", "holdings/s", one, goal: "2,000,000/s a core",
                meets: one >= 2_000_000),
        ]
    }

    private static func board() -> ValuationBoard {
        var board = ValuationBoard()
        for number in 0..<portfolios {
            let holdings = (0..<20).map { index in
                let asset = assets[(number * 7 + index * 11) % assets.count]
                return Holding(Amount(units: Int64(number % 977 + index + 1), places: 8), asset)
            }
            _ = board.add(holdings, base: dollar)
        }
        for asset in assets { board.update(quote(1, of: asset), of: QuotePair(asset, dollar)) }
        _ = board.takeChanged()
        return board
    }

    private static func quote(_ tick: Int64, of asset: Asset) -> LiveQuote {
        LiveQuote(
            price: Amount(units: 6_123_456 + tick * 17, places: 2), time: Timestamp(nanoseconds: tick),
            source: "index")
    }

    /// Holdings that were revalued in a second; the portfolios that changed are taken, too.
    private static func rate(of board: inout ValuationBoard, _ assets: ArraySlice<Asset>, _ tick: Int64)
        -> Double
    {
        let before = board.updates
        let started = seconds()
        for asset in assets { board.update(quote(tick + 1, of: asset), of: QuotePair(asset, dollar)) }
        let changed = board.takeChanged().count
        let elapsed = seconds() - started
        return changed == 0 ? 0 : Double(board.updates - before) / elapsed
    }
}
