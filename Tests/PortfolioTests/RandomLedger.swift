import Instruments
import Portfolio
import Support

/// A ledger that anybody could have, made from a seed: every row is possible when it happens.
struct RandomLedger {
    static let assets = ["BTC", "ETH", "SOL", "SHIB"].map { Asset(rawValue: $0) }
    static let wallets = ["Cold", "Kraken", "Binance"]
    static let usd = Asset(rawValue: "USD")

    private(set) var rows: [Transaction] = []
    private(set) var prices: [(asset: Asset, currency: Asset, point: PricePoint)] = []
    private var balances: [String: Amount] = [:]
    private var clock: Int64 = 1_600_000_000_000_000_000

    init(_ rng: inout SeededGenerator, rows count: Int = 40) {
        notePrices(&rng)
        while rows.count < count {
            // Some rows share an instant.
            if rng.chance(85) { clock += Int64(rng.int(1...40)) * 86_400_000_000_000 / 4 }
            if rng.chance(30) { notePrices(&rng) }
            if let row = row(&rng) { add(row) }
        }
    }

    var book: PriceHistory { PriceHistory(prices) }
    var end: Timestamp { Timestamp(nanoseconds: clock + 86_400_000_000_000) }

    private mutating func notePrices(_ rng: inout SeededGenerator) {
        for asset in Self.assets {
            let price = Amount(units: Int64(rng.int(1...5_000_000)), places: rng.pick([0, 2, 6]))
            prices.append((asset, Self.usd, PricePoint(time: Timestamp(nanoseconds: clock), price: price)))
        }
    }

    private func key(_ wallet: String, _ asset: Asset) -> String { "\(wallet)/\(asset)" }

    private func held(_ wallet: String, _ asset: Asset) -> Amount {
        balances[key(wallet, asset)] ?? .zero
    }

    private mutating func add(_ row: Transaction) {
        rows.append(row)
        func change(_ wallet: String, _ holding: Holding?, _ sign: Int64) {
            guard let holding else { return }
            balances[key(wallet, holding.asset), default: .zero] += holding.amount * Amount(units: sign)
        }
        let comesIn = row.kind.isReceipt || row.kind == .buy
        change(row.wallet, row.subject, comesIn ? 1 : -1)
        if let target = row.toWallet { change(target, row.subject, 1) }
        if row.kind == .buy { change(row.wallet, row.counter, -1) }
        if row.kind == .sell || row.kind == .swap { change(row.wallet, row.counter, 1) }
        change(row.wallet, row.fee, -1)
    }

    private func some(_ rng: inout SeededGenerator) -> Amount {
        Amount(units: Int64(rng.int(1...999_999_999)), places: rng.pick([0, 2, 8, 18]))
    }

    /// A part of what is there: all, or a random share in as many places as the asset has.
    private func part(of whole: Amount, _ rng: inout SeededGenerator) -> Amount {
        if rng.chance(25) { return whole }
        let share = Amount(units: Int64(rng.int(1...99)))
        return whole.portion(share, of: Amount(units: 100), places: 18) ?? .zero
    }

    private func row(_ rng: inout SeededGenerator) -> Transaction? {
        let wallet = rng.pick(Self.wallets)
        let asset = rng.pick(Self.assets)
        let kind = rng.pick(TransactionKind.allCases + [.buy, .buy, .buy, .sell, .sell, .transfer])
        var row = Transaction(
            time: Timestamp(nanoseconds: clock), kind: kind, wallet: wallet,
            subject: Holding(some(&rng), asset), externalID: "row-\(rows.count)")
        let comesIn = kind.isReceipt || kind == .buy
        if !comesIn {
            // Half is kept back, so that there is something for the fee.
            let there = held(wallet, asset)
            guard there.isPositive else { return nil }
            row.subject.amount = part(of: there, &rng)
            guard row.subject.amount.isPositive else { return nil }
        }
        switch kind {
        case .buy, .sell: row.counter = Holding(some(&rng), Self.usd)
        case .swap:
            row.counter = Holding(some(&rng), rng.pick(Self.assets.filter { $0 != asset }))
        case .transfer: row.toWallet = rng.pick(Self.wallets.filter { $0 != wallet })
        default: if kind.isReceipt, rng.chance(70) { row.counter = Holding(some(&rng), Self.usd) }
        }
        if (kind == .deposit || kind == .withdrawal), rng.chance(40) { row.subject.asset = Self.usd }
        row.fee = fee(row, &rng)
        return row
    }

    private func fee(_ row: Transaction, _ rng: inout SeededGenerator) -> Holding? {
        guard rng.chance(40) else { return nil }
        // Only what is sent may cost more than it is.
        let isSent = row.kind == .transfer || row.kind == .withdrawal
        if rng.chance(50) {
            let usd = Holding(Amount(units: Int64(rng.int(1...50)), places: 2), Self.usd)
            let isTooMuch = [row.subject, row.counter].contains {
                $0?.asset == Self.usd && ($0?.amount ?? .zero) < usd.amount
            }
            return isTooMuch && !isSent ? nil : usd
        }
        let asset = rng.pick(Self.assets)
        var there = held(row.wallet, asset)
        let comesIn = row.kind.isReceipt || row.kind == .buy
        if asset == row.subject.asset {
            there = comesIn ? min(there, row.subject.amount) : there - row.subject.amount
        }
        if asset == row.subject.asset, !isSent { there = min(there, row.subject.amount) }
        if let counter = row.counter, counter.asset == asset { there = min(there, counter.amount) }
        let amount = there.portion(Amount(units: 1), of: Amount(units: 20), places: 18) ?? .zero
        return amount.isPositive ? Holding(amount, asset) : nil
    }
}
