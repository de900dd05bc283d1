import Foundation
import Instruments
import Portfolio

/// A ledger to lots, a whole report, and ten years of days.
enum PortfolioBench {
    /// rp2 1.7.2 on a ledger of this shape, by `Benchmarks/peers/rp2_lots_rate.py`.
    struct Peers: Codable {
        /// Transactions to lots in a second.
        var rp2TransactionsPerSecond: Double?
    }

    static func run(peers: Peers?) throws -> [Measurement] {
        let million = transactions(1_000_000)
        let ledger = try Ledger(million)
        var rows: [Measurement] = []
        for method in [LotMethod.fifo, .lifo, .hifo, .lofo, .average] {
            for scope in LotScope.allCases {
                let rate = try median(3) {
                    let started = seconds()
                    let report = try LotReport(ledger, LotPolicy(method, scope))
                    let elapsed = seconds() - started
                    return report.disposals.isEmpty ? 0 : Double(million.count) / elapsed
                }
                rows.append(
                    Measurement(
                        "ledger to lots, \(method.rawValue), \(scope.rawValue)", "rows/s", rate,
                        goal: "1,000,000/s a core", meets: rate >= 1_000_000,
                        baseline: peers?.rp2TransactionsPerSecond == nil ? "" : "rp2 1.7.2",
                        baselineValue: peers?.rp2TransactionsPerSecond))
            }
        }
        rows.append(try validation(million))
        rows.append(try wholeReport())
        rows.append(try tenYears())
        rows += RevaluationBench.run()
        return rows
    }

    private static func validation(_ rows: [Transaction]) throws -> Measurement {
        let rate = try median(3) {
            let started = seconds()
            let ledger = try Ledger(rows)
            return ledger.transactions.isEmpty ? 0 : Double(rows.count) / (seconds() - started)
        }
        return Measurement(
            "rows to a validated ledger", "rows/s", rate, goal: "-", meets: nil)
    }

    /// Validation, lots, valuation, gains of each year and daily history of 100,000 transactions.
    private static func wholeReport() throws -> Measurement {
        let rows = transactions(100_000)
        let prices = priceBook(days: 3_650)
        let elapsed = try median(3) {
            let started = seconds()
            let ledger = try Ledger(rows)
            let report = try LotReport(ledger, LotPolicy(.fifo, .wallet), prices: prices)
            let end = ledger.transactions[ledger.transactions.count - 1].time
            let valuation = Valuation(report, prices: prices, at: end)
            let history = DailyHistory(ledger, base: report.base, prices: prices, until: end)
            let lines = (2014...2025).reduce(0) { $0 + GainReport(report, year: $1).lines.count }
            let sum = Reconciliation(report, valuation)
            return sum == nil || history.days.isEmpty || lines == 0 ? .infinity : seconds() - started
        }
        return Measurement(
            "whole report of 100,000 transactions", "s", elapsed, goal: "1 s", meets: elapsed < 1)
    }

    private static func tenYears() throws -> Measurement {
        let ledger = try Ledger(transactions(2_000))
        let prices = priceBook(days: 3_650)
        let end = start.adding(nanoseconds: 3_650 * day)
        let elapsed = median(3) {
            let started = seconds()
            let history = DailyHistory(ledger, base: Asset(rawValue: "USD"), prices: prices, until: end)
            return history.days.count < 3_650 ? .infinity : seconds() - started
        }
        return Measurement(
            "daily history of ten years, 20 assets", "s", elapsed, goal: "1 s", meets: elapsed < 1)
    }

    private static let day: Int64 = 86_400_000_000_000
    private static let start = Timestamp(iso8601: "2015-01-01T00:00:00Z") ?? .zero
    private static let assets = (0..<20).map { Asset(rawValue: "COIN\($0)") }

    private static func priceBook(days: Int) -> PriceHistory {
        var rows: [(asset: Asset, currency: Asset, point: PricePoint)] = []
        for number in 0..<days {
            for (index, asset) in assets.enumerated() {
                let price = Amount(units: Int64(10_000 + (number * 37 + index * 101) % 5_000), places: 2)
                let time = start.adding(nanoseconds: Int64(number) * day)
                rows.append((asset, Asset(rawValue: "USD"), PricePoint(time: time, price: price)))
            }
        }
        return PriceHistory(rows)
    }

    /// Six purchases, three sales and a transfer in ten, over ten years, in 20 assets and 3 wallets.
    static func transactions(_ count: Int) -> [Transaction] {
        let wallets = ["Kraken", "Binance", "Cold"]
        let usd = Asset(rawValue: "USD")
        let step = 3_640 * day / Int64(count)
        var state: UInt64 = 42
        func random(_ limit: UInt64) -> Int64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64((state >> 33) % limit)
        }
        var held = [[Int64]](repeating: [Int64](repeating: 0, count: assets.count), count: wallets.count)
        return (0..<count).map { number in
            let asset = Int(random(UInt64(assets.count)))
            let wallet = Int(random(3))
            let most = held[wallet][asset]
            let time = start.adding(nanoseconds: Int64(number) * step)
            let choice = random(10)
            let price = 10_000 + random(5_000)
            func row(_ kind: TransactionKind, _ units: Int64, to target: Int? = nil) -> Transaction {
                Transaction(
                    time: time, kind: kind, wallet: wallets[wallet], toWallet: target.map { wallets[$0] },
                    subject: Holding(Amount(units: units, places: 8), assets[asset]),
                    counter: kind == .transfer
                        ? nil : Holding(Amount(units: units / 1_000_000 * price + price, places: 4), usd),
                    fee: kind == .transfer ? nil : Holding(Amount(units: 1 + random(50), places: 2), usd))
            }
            if choice < 6 || most < 2 {
                let units = 1 + random(500_000_000)
                held[wallet][asset] += units
                return row(.buy, units)
            }
            let units = 1 + random(UInt64(most) - 1)
            held[wallet][asset] -= units
            guard choice == 9 else { return row(.sell, units) }
            let target = (wallet + 1) % 3
            held[target][asset] += units
            return row(.transfer, units, to: target)
        }
    }
}
