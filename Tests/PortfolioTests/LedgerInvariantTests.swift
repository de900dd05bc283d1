import Instruments
import Portfolio
import Statistics
import Support
import Testing

/// What holds for every ledger, method and scope.
@Suite("Ledger invariants")
struct LedgerInvariantTests {
    private static let methods = LotMethod.allCases
    private static func policies(_ rng: inout SeededGenerator, _ made: RandomLedger) -> LotPolicy {
        let later =
            rng.chance(40)
            ? [
                LotPolicy.Change(
                    from: made.rows[made.rows.count / 2].time, method: rng.pick(methods),
                    scope: rng.pick(LotScope.allCases))
            ] : []
        return LotPolicy(rng.pick(methods), rng.pick(LotScope.allCases), then: later)
    }

    private static func sums(_ balances: [Balance]) -> [String: Amount] {
        balances.reduce(into: [:]) { sums, balance in
            guard !balance.holding.asset.isCurrency else { return }
            sums["\(balance.wallet)/\(balance.holding.asset)", default: .zero] += balance.holding.amount
        }.filter { !$0.value.isZero }
    }

    @Test("open lots are the balance after every event, in every wallet")
    func lotsAreBalances() {
        property { rng in
            let made = RandomLedger(&rng, rows: 25)
            let policy = Self.policies(&rng, made)
            let ledger = try Ledger(made.rows)
            for row in ledger.transactions {
                let report = try LotReport(ledger, policy, prices: made.book, until: row.time)
                rng.note("\(report.lots) \(report.disposals) \(report.balances)")
                let lots = report.lots.map { Balance(wallet: $0.wallet, holding: $0.holding) }
                try #require(Self.sums(lots) == Self.sums(report.balances))
                try #require(report.lots.allSatisfy { $0.holding.amount.isPositive })
                try #require(report.balances == ledger.balances(at: row.time))
            }
        }
    }

    @Test("realized + unrealized + income - fees = value + withdrawals - deposits")
    func identity() {
        property { rng in
            let made = RandomLedger(&rng)
            let ledger = try Ledger(made.rows)
            let report = try LotReport(ledger, Self.policies(&rng, made), prices: made.book)
            let valuation = Valuation(report, prices: made.book, at: made.end)
            let sum = try #require(Reconciliation(report, valuation))
            try #require(
                sum.realized + sum.unrealized + sum.income - sum.fees
                    == sum.value + sum.withdrawals - sum.deposits)
        }
    }

    @Test("no method makes or loses a satoshi")
    func satoshis() {
        property { rng in
            let made = RandomLedger(&rng)
            let ledger = try Ledger(made.rows)
            let report = try LotReport(ledger, Self.policies(&rng, made), prices: made.book)
            for disposal in report.disposals {
                let pieces = report.pieces[disposal.pieces]
                try #require(pieces.reduce(.zero) { $0 + $1.amount } == disposal.subject.amount)
                try #require(pieces.reduce(.zero) { $0 + $1.costBasis } == disposal.costBasis)
                try #require(pieces.allSatisfy { $0.acquired <= disposal.time && $0.amount.isPositive })
                if let shares = report.proceeds(of: disposal) {
                    try #require(shares.reduce(.zero, +) == disposal.proceeds)
                }
            }
        }
    }

    @Test("what is taken and what is left cost the same by every method")
    func sameCost() {
        property { rng in
            let made = RandomLedger(&rng)
            let ledger = try Ledger(made.rows)
            var totals: Set<Amount> = []
            for method in LotMethod.allCases {
                let report = try LotReport(ledger, LotPolicy(method, .universal), prices: made.book)
                let taken = report.disposals.reduce(.zero) { $0 + $1.costBasis }
                let removed = report.removals.reduce(.zero) { $0 + $1.costBasis }
                totals.insert(taken + removed + report.costBasis)
            }
            try #require(totals.count == 1)
        }
    }

    @Test("the order of the input does not matter")
    func order() {
        property { rng in
            let made = RandomLedger(&rng)
            // Rows of one instant keep their order; everything else may come in any.
            var instants: [[Transaction]] = []
            for row in made.rows {
                if instants.last?.first?.time == row.time {
                    instants[instants.count - 1].append(row)
                } else {
                    instants.append([row])
                }
            }
            let policy = Self.policies(&rng, made)
            let first = try LotReport(Ledger(made.rows), policy, prices: made.book)
            let second = try LotReport(
                Ledger(instants.shuffled(using: &rng).flatMap { $0 }), policy, prices: made.book)
            try #require(first.ledger.transactions == second.ledger.transactions)
            try #require(first.disposals.map(\.gain) == second.disposals.map(\.gain))
            try #require(first.lots.map(\.costBasis) == second.lots.map(\.costBasis))
        }
    }

    @Test("rows of other assets and wallets change nothing")
    func unrelated() {
        property { rng in
            let made = RandomLedger(&rng)
            let policy = LotPolicy(rng.pick(LotMethod.allCases), .universal)
            let mine = try LotReport(Ledger(made.rows), policy, prices: made.book)
            let other = Asset(rawValue: "XRP")
            let extra = made.rows.map { row in
                Transaction(
                    time: row.time, kind: .buy, wallet: "Elsewhere", subject: Holding(.one, other),
                    counter: Holding(.one, RandomLedger.usd))
            }
            let both = try LotReport(Ledger(extra + made.rows), policy, prices: made.book)
            try #require(mine.disposals.map(\.gain) == both.disposals.map(\.gain))
        }
    }

    @Test("one more unit than there is is refused by name, amount and time")
    func shortfall() {
        property { rng in
            let made = RandomLedger(&rng)
            let ledger = try Ledger(made.rows)
            guard let balance = ledger.balances().first(where: { !$0.holding.asset.isCurrency }) else {
                return
            }
            let unit = Amount(units: 1, places: 18)
            let row = Transaction(
                time: made.end, kind: .withdrawal, wallet: balance.wallet,
                subject: Holding(balance.holding.amount + unit, balance.holding.asset))
            let expected = LedgerError(
                index: made.rows.count, time: made.end,
                reason: .shortfall(
                    wallet: balance.wallet, asset: balance.holding.asset,
                    available: balance.holding.amount, wanted: balance.holding.amount + unit))
            #expect(throws: expected) { try Ledger(made.rows + [row]) }
        }
    }

    @Test("without flows the time-weighted return is the simple one")
    func returns() {
        property { rng in
            let first = rng.int(1...1_000_000)
            let days = (0..<rng.int(2...60)).map { day in
                let value = Double(day == 0 ? first : rng.int(1...1_000_000))
                return ValueSeries.Day(value: value, inflow: day == 0 ? Double(first) : 0)
            }
            let series = ValueSeries(days)
            let simple = try #require(series.simpleReturn)
            try #require(abs(series.timeWeightedReturn - simple) <= 1e-9 * max(1, abs(simple)))
        }
    }

    @Test("the methods differ as their names say")
    func ranking() {
        property { rng in
            let made = RandomLedger(&rng, rows: 1)
            let asset = Asset(rawValue: "BTC")
            // Unit amounts, bought at random prices, then one sale: here the extremes are extremes.
            var rows: [Transaction] = []
            let count = rng.int(2...12)
            for day in 0..<count {
                rows.append(
                    Transaction(
                        time: Timestamp(nanoseconds: Int64(day) * 86_400_000_000_000), kind: .buy,
                        wallet: "A",
                        subject: Holding(.one, asset),
                        counter: Holding(Amount(units: Int64(rng.int(1...999))), RandomLedger.usd)))
            }
            rows.append(
                Transaction(
                    time: Timestamp(nanoseconds: Int64(count) * 86_400_000_000_000), kind: .sell, wallet: "A",
                    subject: Holding(Amount(units: Int64(rng.int(1...count))), asset),
                    counter: Holding(Amount(units: 500), RandomLedger.usd)))
            let ledger = try Ledger(rows)
            var costs: [LotMethod: Amount] = [:]
            for method in LotMethod.allCases {
                costs[method] = try LotReport(ledger, LotPolicy(method), prices: made.book).disposals[0]
                    .costBasis
            }
            for cost in costs.values {
                try #require(costs[.lofo].map { $0 <= cost + Amount(units: 1, places: 12) } == true)
                try #require(costs[.hifo].map { $0 >= cost - Amount(units: 1, places: 12) } == true)
            }
        }
    }
}
