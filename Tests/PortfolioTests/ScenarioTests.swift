import Instruments
import Portfolio
import Support
import Testing

/// Stories with the arithmetic done by hand.
@Suite("Ledger scenarios")
struct ScenarioTests {
    private let btc = Asset(rawValue: "BTC")
    private let eth = Asset(rawValue: "ETH")
    private let usd = Asset(rawValue: "USD")

    private func row(
        _ day: String, _ kind: TransactionKind, _ amount: String, _ asset: String, _ counter: String? = nil,
        fee: String? = nil, wallet: String = "A", to: String? = nil, id: String = "", lots: [LotChoice] = []
    ) throws -> Transaction {
        let time = day.contains("T") ? "\(day)Z" : "\(day)T00:00:00Z"
        func holding(_ text: String) throws -> Holding {
            let words = text.split(separator: " ").map(String.init)
            return Holding(try Amount(parsing: words[0]), Asset(rawValue: words[1]))
        }
        return Transaction(
            time: try #require(Timestamp(iso8601: time)), kind: kind, wallet: wallet, toWallet: to,
            subject: Holding(try Amount(parsing: amount), Asset(rawValue: asset)),
            counter: try counter.map(holding), fee: try fee.map(holding), externalID: id, lots: lots)
    }

    /// Three lots: 1 at 100, 1 at 300, 1 at 200; 1.5 sold for 600.
    private func threeLots() throws -> Ledger {
        try Ledger([
            row("2020-01-01", .buy, "1", "BTC", "100 USD"), row("2020-02-01", .buy, "1", "BTC", "300 USD"),
            row("2020-03-01", .buy, "1", "BTC", "200 USD"), row("2020-04-01", .sell, "1.5", "BTC", "600 USD"),
        ])
    }

    @Test(
        "1.5 of three lots costs what the method says",
        arguments: [
            // 100 + 300/2; 200 + 300/2; 300 + 200/2; 100 + 200/2; 600 × 1.5/3.
            (LotMethod.fifo, "250"), (.lifo, "350"), (.hifo, "400"), (.lofo, "200"), (.average, "300"),
        ])
    func methods(method: LotMethod, cost: String) throws {
        let report = try LotReport(try threeLots(), LotPolicy(method))
        #expect(report.disposals.map(\.costBasis.description) == [cost])
        #expect(report.costBasis + report.disposals[0].costBasis == Amount(units: 600))
        #expect(report.disposals[0].gain == Amount(units: 600) - report.disposals[0].costBasis)
    }

    @Test("of lots of equal price the oldest goes first")
    func equalPrices() throws {
        let rows = try [
            row("2020-01-01", .buy, "1", "BTC", "100 USD"), row("2020-02-01", .buy, "2", "BTC", "200 USD"),
            row("2020-03-01", .sell, "1", "BTC", "150 USD"),
        ]
        for method in [LotMethod.hifo, .lofo] {
            let report = try LotReport(Ledger(rows), LotPolicy(method))
            #expect(report.pieces.map(\.acquired.plain) == ["2020-01-01T00:00:00Z"])
        }
    }

    @Test(
        "lots are ordered by the exact price of a unit, however cheap it is",
        arguments: [
            // A unit for 10^-27, and thirds that no decimal tells apart at 18 places.
            ("1" + String(repeating: "0", count: 30), ["1000", "3000", "2000"]),
            ("3" + String(repeating: "0", count: 18), ["10", "12", "11"]),
        ])
    func cheapUnits(amount: String, costs: [String]) throws {
        var rows = try costs.enumerated().map { number, cost in
            try row("2020-0\(number + 1)-01", .buy, amount, "PEPE", "\(cost) USD")
        }
        rows.append(try row("2020-06-01", .sell, amount, "PEPE", "2500 USD"))
        for (method, place) in [(LotMethod.hifo, 1), (.lofo, 0), (.fifo, 0), (.lifo, 2)] {
            let report = try LotReport(Ledger(rows), LotPolicy(method))
            #expect(report.disposals.map(\.costBasis.description) == [costs[place]], "\(method)")
        }
    }

    @Test("what is bought at the instant of a sale can be sold, whatever the order of the rows")
    func sameInstant() throws {
        let rows = try [
            row("2020-01-02", .sell, "1", "BTC", "150 USD"), row("2020-01-02", .buy, "1", "BTC", "100 USD"),
        ]
        #expect(try LotReport(Ledger(rows)).realized == Amount(units: 50))
        // A chain: the sale for USDT pays the purchase with USDT at the same instant.
        let chain = try [
            row("2020-01-01", .opening, "1", "BTC", "100 USD"),
            row("2020-01-02", .buy, "2", "ETH", "90 USDT"),
            row("2020-01-02", .sell, "1", "BTC", "100 USDT"),
        ]
        #expect(try Ledger(chain).balances().map(\.holding.amount.description) == ["2", "10"])
    }

    @Test("a buy's fee adds to the cost, a sale's fee takes off what it brings")
    func moneyFees() throws {
        let report = try LotReport(
            Ledger([
                row("2020-01-01", .buy, "2", "BTC", "100 USD", fee: "1 USD"),
                row("2020-02-01", .sell, "1", "BTC", "80 USD", fee: "2 USD"),
            ]))
        // Cost (100 + 1) / 2 = 50.5, proceeds 80 - 2 = 78, gain 27.5.
        #expect(report.disposals[0].costBasis.description == "50.5")
        #expect(report.disposals[0].gain?.description == "27.5")
        #expect(report.balances.map(\.holding.amount.description) == ["1", "-23"])
    }

    @Test("a fee in the coin that is bought is a disposal out of a lot that it makes dearer")
    func coinFee() throws {
        let report = try LotReport(
            Ledger([row("2020-01-01", .buy, "1", "BTC", "1000 USD", fee: "0.01 BTC")]))
        // The fee is worth 10; the lot costs 1010, its hundredth 10.1; the disposal loses 0.1.
        #expect(report.disposals.map(\.kind) == [.fee])
        #expect(report.disposals[0].gain?.description == "-0.1")
        #expect(report.lots.map(\.costBasis.description) == ["999.9"])
        #expect(report.lots.map(\.holding.amount.description) == ["0.99"])
    }

    @Test("a transfer between wallets carries lots with their dates, and its fee is a disposal")
    func transfer() throws {
        let rows = try [
            row("2020-01-01", .buy, "1", "BTC", "100 USD"), row("2020-06-01", .buy, "1", "BTC", "200 USD"),
            row("2020-07-01", .buy, "1", "BTC", "400 USD", wallet: "B"),
            row("2020-08-01", .transfer, "1.5", "BTC", "900 USD", fee: "0.25 BTC", to: "B"),
            row("2021-01-02", .sell, "1", "BTC", "500 USD", wallet: "B"),
        ]
        let report = try LotReport(Ledger(rows), LotPolicy(.fifo, .wallet))
        // The fee takes 0.25 of the second lot: cost 50, worth 900 × 0.25 / 1.5 = 150.
        #expect(report.disposals[0].gain?.description == "100")
        // B's oldest lot is the one of January 2020, now held more than a year.
        #expect(report.pieces.last?.acquired.plain == "2020-01-01T00:00:00Z")
        #expect(report.pieces.last?.isLong(at: report.disposals[1].time) == true)
        #expect(report.disposals[1].gain?.description == "400")
        #expect(
            report.lots.map { "\($0.wallet) \($0.holding.amount) \($0.costBasis)" } == [
                "A 0.25 50", "B 0.5 100", "B 1 400",
            ])
    }

    @Test("long is more than 365 days, to the nanosecond")
    func term() throws {
        for (sold, isLong) in [("2021-12-31T12:00:00", false), ("2021-12-31T12:00:00.000000001", true)] {
            let report = try LotReport(
                Ledger([
                    row("2020-12-31T12:00:00", .buy, "1", "BTC", "1 USD"),
                    row(sold, .sell, "1", "BTC", "1 USD"),
                ]))
            #expect(report.pieces[0].isLong(at: report.disposals[0].time) == isLong)
        }
    }

    @Test("a swap sells at the value of what it brings")
    func swap() throws {
        let prices = PriceHistory([
            (eth, usd, PricePoint(time: .zero, price: Amount(units: 20))),
            (btc, usd, PricePoint(time: .zero, price: Amount(units: 900))),
        ])
        let rows = try [
            row("2020-01-01", .buy, "1", "BTC", "100 USD"), row("2020-02-01", .swap, "1", "BTC", "50 ETH"),
        ]
        let report = try LotReport(Ledger(rows), prices: prices)
        #expect(report.disposals[0].gain?.description == "900")
        #expect(report.lots.map(\.costBasis.description) == ["1000"])
        // Without a price nothing is guessed: the cost is carried over, marked and listed.
        let blind = try LotReport(Ledger(rows))
        #expect(blind.disposals[0].gain == nil)
        #expect(blind.lots.map(\.assumed) == [.carried])
        #expect(blind.lots.map(\.costBasis.description) == ["100"])
        #expect(blind.missingPrices.map(\.asset) == [eth])
    }

    @Test("income costs what it was worth")
    func income() throws {
        let report = try LotReport(
            Ledger([
                row("2020-01-01", .staking, "2", "ETH", "30 USD"),
                row("2020-02-01", .sell, "1", "ETH", "20 USD"),
            ]))
        #expect(report.incomeTotal == Amount(units: 30))
        #expect(report.realized == Amount(units: 5))
    }

    @Test("a method changes at an instant and takes over what is left")
    func policyChange() throws {
        let rows = try [
            row("2020-01-01", .buy, "1", "BTC", "100 USD"), row("2020-02-01", .buy, "1", "BTC", "300 USD"),
            row("2020-03-01", .buy, "1", "BTC", "200 USD"), row("2020-04-01", .sell, "1", "BTC", "600 USD"),
            row("2021-01-01", .sell, "1", "BTC", "600 USD"),
        ]
        let change = LotPolicy.Change(from: rows[4].time, method: .hifo, scope: .universal)
        let report = try LotReport(Ledger(rows), LotPolicy(.fifo, .universal, then: [change]))
        #expect(report.disposals.map(\.costBasis.description) == ["100", "300"])
        // From the average: 600 / 3 each, whatever HIFO takes.
        let average = try LotReport(Ledger(rows), LotPolicy(.average, .universal, then: [change]))
        #expect(average.disposals.map(\.costBasis.description) == ["200", "200"])
    }

    @Test("after average costs HIFO and LOFO order by them, also what was carried to another wallet")
    func orderAfterAverage() throws {
        for isCarried in [false, true] {
            let wallet = isCarried ? "B" : "A"
            var rows = try [
                row("2020-01-01", .buy, "1", "BTC", "100 USD"),
                row("2020-02-01", .buy, "1", "BTC", "300 USD"),
                row("2020-03-01", .sell, "0.5", "BTC", "150 USD"),
            ]
            if isCarried { rows.append(try row("2021-01-02", .transfer, "1.5", "BTC", to: "B")) }
            rows.append(try row("2021-02-01", .buy, "1", "BTC", "250 USD", wallet: wallet))
            for month in 3...5 {
                rows.append(try row("2021-0\(month)-01", .sell, "0.5", "BTC", "150 USD", wallet: wallet))
            }
            // Each of those before costs 200 now, whatever it was bought for.
            for (method, costs) in [
                (LotMethod.hifo, ["100", "125", "125", "100"]), (.lofo, ["100", "100", "100", "100"]),
            ] {
                let change = LotPolicy.Change(
                    from: try #require(Timestamp(iso8601: "2021-01-01T00:00:00Z")), method: method,
                    scope: .wallet)
                let report = try LotReport(Ledger(rows), LotPolicy(.average, .wallet, then: [change]))
                #expect(report.disposals.map(\.costBasis.description) == costs, "\(method) \(isCarried)")
            }
        }
    }

    @Test("a sum with something unknown in it is unknown, and its known part is told beside it")
    func unknownSums() throws {
        let report = try LotReport(
            Ledger([
                row("2020-01-01", .buy, "1", "BTC", "10000 USD"),
                row("2020-02-01", .sell, "0.1", "BTC", "2000 USD"),
                row("2020-03-01", .swap, "0.5", "BTC", "10 ETH"),
                row("2020-04-01", .staking, "0.5", "BTC"),
                row("2020-05-01", .staking, "0.1", "BTC", "1500 USD"),
            ]))
        #expect(report.realized == nil && report.incomeTotal == nil)
        #expect(report.knownRealized.description == "1000" && report.knownIncome.description == "1500")
    }

    @Test("chosen lots are taken, and no more of them than there is")
    func specific() throws {
        func rows(_ amount: String) throws -> [Transaction] {
            let choice = LotChoice(acquiredBy: "second", amount: try Amount(parsing: amount))
            return try [
                row("2020-01-01", .buy, "1", "BTC", "100 USD", id: "first"),
                row("2020-02-01", .buy, "1", "BTC", "300 USD", id: "second"),
                row("2020-03-01", .sell, "1.5", "BTC", "600 USD", lots: [choice]),
            ]
        }
        // All of the second for 300, then the oldest: 50.
        #expect(
            try LotReport(Ledger(rows("1")), LotPolicy(.specific)).disposals[0].costBasis
                == Amount(units: 350))
        let ledger = try Ledger(rows("1.1"))
        #expect(throws: LedgerError.self) { try LotReport(ledger, LotPolicy(.specific)) }
    }

    @Test("the day's end belongs to the day")
    func asOf() throws {
        let end: Timestamp = try #require(Timestamp(iso8601: "2020-02-29T23:59:59.999999999Z"))
        let report = try LotReport(threeLots(), until: end)
        #expect(report.balances.map(\.holding.amount.description) == ["2", "-400"])
        #expect(report.disposals.isEmpty)
    }

    @Test("the same row twice is one row; another content under its id is refused")
    func duplicates() throws {
        let first = try row("2020-01-01", .buy, "1", "BTC", "100 USD", id: "x")
        let ledger = try Ledger([first, first])
        #expect(ledger.transactions.count == 1 && ledger.duplicates == [1])
        let other = try row("2020-01-01", .buy, "2", "BTC", "100 USD", id: "x")
        let expected = LedgerError(index: 1, time: first.time, reason: .conflictingID(other: 0))
        #expect(throws: expected) { try Ledger([first, other]) }
    }

    @Test("amounts of 10^30 with 18 decimals stay what they are")
    func hugeAmounts() throws {
        let huge = "1000000000000000000000000000000.000000000000000001"
        let report = try LotReport(
            Ledger([
                row("2020-01-01", .buy, huge, "SHIB", "3 USD"),
                row("2020-01-02", .withdrawal, "0.000000000000000001", "SHIB"),
            ]))
        #expect(report.balances[0].holding.amount.description == "1" + String(repeating: "0", count: 30))
    }

    @Test("targets are restored by one trade for each asset that drifted")
    func rebalancing() throws {
        let prices = PriceHistory([
            (btc, usd, PricePoint(time: .zero, price: Amount(units: 100))),
            (eth, usd, PricePoint(time: .zero, price: Amount(units: 10))),
        ])
        let report = try LotReport(
            Ledger([
                row("2020-01-01", .opening, "8", "BTC", "1 USD"),
                row("2020-01-01", .opening, "20", "ETH", "1 USD"),
            ]))
        let valuation = Valuation(
            report, prices: prices, at: try #require(Timestamp(iso8601: "2020-02-01T00:00:00Z")))
        let half = Amount(units: 5, places: 1)
        let plan = Rebalancing(valuation, targets: [btc: half, eth: half], prices: prices)
        // 800 and 200 of 1000: sell 3 BTC, buy 30 ETH.
        #expect(plan.trades.map { "\($0.isBuy) \($0.amount) \($0.asset)" } == ["false 3 BTC", "true 30 ETH"])
        // What they leave is the base currency's.
        #expect(
            plan.drifts.map { "\($0.asset) \($0.share) \($0.target)" } == [
                "BTC 0.8 0.5", "USD 0 0", "ETH 0.2 0.5",
            ])
        let small = Rebalancing.Limits(minimumValue: Amount(units: 301))
        #expect(
            Rebalancing(valuation, targets: [btc: half, eth: half], prices: prices, limits: small).trades
                .isEmpty)
    }

    @Test("purchases are paid by what the sales bring, fees taken off, and targets hold of what is left")
    func rebalancingWithFees() throws {
        let prices = PriceHistory([
            (btc, usd, PricePoint(time: .zero, price: Amount(units: 10_000))),
            (eth, usd, PricePoint(time: .zero, price: Amount(units: 1_000))),
        ])
        let report = try LotReport(Ledger([row("2020-01-01", .opening, "1", "BTC", "1 USD")]))
        let valuation = Valuation(
            report, prices: prices, at: try #require(Timestamp(iso8601: "2020-02-01T00:00:00Z")))
        let half = Amount(units: 5, places: 1)
        let fee = Amount(units: 1, places: 2)
        let plan = Rebalancing(
            valuation, targets: [btc: half, eth: half], prices: prices,
            limits: Rebalancing.Limits(feeRate: fee))
        // Of w dollars after fees: sold 10000 - w/2, bought w/2, so 0.01 × 10000 is paid: w = 9900.
        #expect(plan.trades.map { "\($0.isBuy) \($0.amount)" } == ["false 0.505", "true 4.95"])
        let brought = plan.trades[0].value - plan.trades[0].fee
        #expect(plan.trades[1].value + plan.trades[1].fee <= brought)
        #expect(Rebalancing.fault(in: [btc: Amount(units: 9, places: 1), eth: half]) != nil)
        #expect(Rebalancing.fault(in: [btc: -half]) != nil && Rebalancing.fault(in: [btc: half]) == nil)
    }

    @Test("several purchases cost no more than what the sale brings, to the last place")
    func plansToTheLastPlace() throws {
        let sol = Asset(rawValue: "SOL")
        let prices = PriceHistory(
            [(btc, 10_000), (eth, 1_000), (sol, 10)].map { asset, price in
                (asset, usd, PricePoint(time: .zero, price: Amount(units: price)))
            })
        let report = try LotReport(Ledger([row("2020-01-01", .opening, "1", "BTC", "1 USD")]))
        let valuation = Valuation(
            report, prices: prices, at: try #require(Timestamp(iso8601: "2020-02-01T00:00:00Z")))
        func tenths(_ units: Int64) -> Amount { Amount(units: units, places: 1) }
        let plan = Rebalancing(
            valuation, targets: [btc: tenths(3), eth: tenths(3), sol: tenths(4)], prices: prices,
            limits: Rebalancing.Limits(feeRate: Amount(units: 2, places: 3)))
        let left = plan.trades.reduce(Amount.zero) { left, trade in
            trade.isBuy ? left - trade.value - trade.fee : left + trade.value - trade.fee
        }
        #expect(plan.trades.count == 3 && !left.isNegative, "\(left) is left")
    }

    @Test("no plan costs more than there is, whatever fees, sizes and tolerances")
    func plans() {
        property { rng in
            let made = RandomLedger(&rng)
            let report = try LotReport(Ledger(made.rows), prices: made.book)
            let valuation = Valuation(report, prices: made.book, at: made.end)
            var targets: [Asset: Amount] = [:]
            for asset in RandomLedger.assets where rng.chance(70) {
                targets[asset] = Amount(units: Int64(rng.int(0...25)), places: 2)
            }
            let limits = Rebalancing.Limits(
                feeRate: Amount(units: Int64(rng.int(0...300)), places: 4),
                minimumValue: Amount(units: Int64(rng.int(0...1_000))),
                tolerance: Amount(units: Int64(rng.int(0...10)), places: 2))
            let plan = Rebalancing(valuation, targets: targets, prices: made.book, limits: limits)
            let cash = valuation.positions.first { $0.holding.asset == usd }?.value ?? .zero
            var left = max(cash, .zero)
            for trade in plan.trades where !trade.isBuy { left += trade.value - trade.fee }
            for trade in plan.trades where trade.isBuy { left -= trade.value + trade.fee }
            let buys = plan.trades.contains(where: \.isBuy)
            try #require(!buys || !left.isNegative)
            for trade in plan.trades where !trade.isBuy {
                let held = valuation.positions.first { $0.holding.asset == trade.asset }?.holding.amount
                try #require(trade.amount <= held ?? .zero)
            }
        }
    }

    @Test("coins are told where they are: what was moved has the oldest lots, what stayed the newest")
    func movedLots() throws {
        let rows = try [
            row("2020-01-01", .buy, "1", "BTC", "100 USD"), row("2020-02-01", .buy, "1", "BTC", "201 USD"),
            row("2020-03-01", .transfer, "1.5", "BTC", to: "B"),
        ]
        let report = try LotReport(Ledger(rows), LotPolicy(.lifo, .universal))
        #expect(
            report.lots.map { "\($0.wallet) \($0.holding.amount) \($0.costBasis)" } == [
                "B 1 100", "A 0.5 100.5", "B 0.5 100.5",
            ])
    }

    @Test(
        "a venue is the exchange that a wallet's name or kind says, else self custody",
        arguments: [
            ("Kraken", nil, "Kraken"), ("my kraken 2", nil, "Kraken"), ("gate.io spot", nil, "Gate.io"),
            ("Ledger", nil, "self custody"), ("Krakenland", nil, "self custody"),
            ("Kraken", false, "self custody"), ("Nobody's", true, "Nobody's"), ("Kraken EU", true, "Kraken"),
        ] as [(String, Bool?, String)])
    func venues(wallet: String, isExchange: Bool?, venue: String) {
        #expect(WalletVenue.name(of: wallet, isExchange: isExchange) == venue)
    }

    @Test("a what-if that an earlier row does not survive names that row as one that is there")
    func whatIf() throws {
        let before = try LotReport(
            Ledger([
                row("2020-01-01", .buy, "1", "BTC", "100 USD"), row("2020-03-01", .sell, "1", "BTC", "9 USD"),
            ]))
        let sale = try row("2020-02-01", .sell, "1", "BTC", "9 USD")
        let error = #expect(throws: LedgerError.self) {
            try WhatIf(before, adding: [sale], policy: LotPolicy(), prices: PriceHistory())
        }
        #expect(error?.index == -1)
    }

    @Test("a value by an old price is named, in the report and on the form's line")
    func stalePrices() throws {
        let old = try #require(Timestamp(iso8601: "2019-01-01T00:00:00Z"))
        let prices = PriceHistory([
            (btc, usd, PricePoint(time: old, price: Amount(units: 3_500))),
            (eth, usd, PricePoint(time: old, price: Amount(units: 130))),
        ])
        let report = try LotReport(
            Ledger([
                row("2019-01-02", .buy, "2", "BTC", "7000 USD"), row("2019-01-03", .spend, "0.1", "BTC"),
                row("2024-01-01", .swap, "1", "BTC", "15 ETH"),
            ]), prices: prices)
        #expect(report.stalePrices.map { "\($0.entry) \($0.asset)" } == ["2 ETH"])
        #expect(report.stalePrices.map(\.priced) == [old])
        let lines = GainReport(report, year: 2024).lines
        #expect(lines.map(\.stalePrice) == [old])
        #expect(GainReport(report, year: 2019).lines.map(\.stalePrice) == [nil])
    }

    @Test("a fee whose worth nobody knows leaves proceeds unknown, and marks the cost that it is part of")
    func unknownFees() throws {
        let report = try LotReport(
            Ledger([
                row("2020-01-01", .opening, "10", "BNB", "500 USD"),
                row("2020-01-02", .buy, "1", "BTC", "1000 USD", fee: "1 BNB"),
                row("2020-01-03", .buy, "1", "BTC", "1000 USD", fee: "10 EUR"),
                row("2020-01-04", .sell, "1", "BTC", "2000 USD", fee: "20 EUR"),
                row("2020-01-05", .sell, "1", "BTC", "2000 USD", fee: "1 BNB"),
            ]))
        let sales = report.disposals.filter { $0.kind == .sell }
        #expect(
            sales.map(\.proceeds) == [nil, nil] && sales.map(\.costBasis.description) == ["1050", "1000"])
        #expect(report.assumed.map(\.reason) == [.fee, .fee])
        #expect(report.feeTotal == nil)
    }
}
