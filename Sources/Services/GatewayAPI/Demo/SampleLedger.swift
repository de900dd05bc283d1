import Instruments
import Portfolio

/// Two years of somebody who puts money aside: savings that come each month, purchases, rewards, a sale and
/// some of it laid away, at what it cost on its day.
struct SampleLedger {
    /// How far it goes back.
    static let days: Int64 = 730
    /// From one salary to the next.
    private static let month = 30

    private static let wallet = "Kraken"
    private static let cold = "Hardware wallet"
    static let dollar = Asset(rawValue: "USD")
    private static let (bitcoin, ether) = (Asset(rawValue: "BTC"), Asset(rawValue: "ETH"))
    /// What is bought, in which months of how many, for how many dollars.
    private static let plan: [(asset: Asset, every: Int, dollars: Int64)] = [
        (bitcoin, 1, 450), (ether, 1, 250), (Asset(rawValue: "SOL"), 2, 180),
        (Asset(rawValue: "LINK"), 3, 120),
    ]

    private let market: SampleMarket
    private(set) var rows: [Transaction] = []
    private var held: [Asset: Amount] = [:]

    /// The transactions in order.
    init(_ market: SampleMarket) {
        self.market = market
        let count = market.days[Self.bitcoin]?.count ?? 0
        for (month, day) in stride(from: 0, to: max(count - 5, 0), by: Self.month).enumerated() {
            save(on: day)
            for (place, part) in Self.plan.enumerated() where month % part.every == 0 {
                buy(part.asset, for: part.dollars, on: day + 1 + place)
            }
            if month > 3 { earn(on: day + 4) }
            if month % 8 == 7 { layAway(on: day + 4) }
            if month == 14 { sell(Self.ether, a: 4, on: day + 4) }
            if month == 19 { sell(Asset(rawValue: "SOL"), a: 3, on: day + 4) }
        }
    }

    private mutating func save(on day: Int) {
        guard let (time, _) = place(Self.bitcoin, day) else { return }
        let dollars = Holding(Amount(units: 1_050), Self.dollar)
        add(Transaction(time: time, kind: .deposit, wallet: Self.wallet, subject: dollars, note: "Savings"))
    }

    private mutating func buy(_ asset: Asset, for dollars: Int64, on day: Int) {
        guard let (time, price) = place(asset, day),
            let amount = Amount(units: dollars).divided(by: price, places: 6), amount.isPositive
        else { return }
        add(
            Transaction(
                time: time, kind: .buy, wallet: Self.wallet, subject: Holding(amount, asset),
                counter: Holding((amount * price).rounded(places: 2), Self.dollar),
                fee: Holding(Amount(units: dollars * 26, places: 4).rounded(places: 2), Self.dollar)))
        held[asset, default: .zero] += amount
    }

    private mutating func sell(_ asset: Asset, a part: Int64, on day: Int) {
        guard let (time, price) = place(asset, day), let all = held[asset],
            let amount = all.divided(by: Amount(units: part), places: 6), amount.isPositive
        else { return }
        let dollars = (amount * price).rounded(places: 2)
        add(
            Transaction(
                time: time, kind: .sell, wallet: Self.wallet, subject: Holding(amount, asset),
                counter: Holding(dollars, Self.dollar),
                fee: Holding((dollars * Amount(units: 26, places: 4)).rounded(places: 2), Self.dollar)))
        held[asset] = all - amount
    }

    /// A reward for what is staked, which is taxed at what it was worth.
    private mutating func earn(on day: Int) {
        guard let (time, price) = place(Self.ether, day), let all = held[Self.ether] else { return }
        let amount = (all * Amount(units: 25, places: 4)).rounded(places: 6)
        guard amount.isPositive else { return }
        add(
            Transaction(
                time: time, kind: .staking, wallet: Self.wallet, subject: Holding(amount, Self.ether),
                counter: Holding((amount * price).rounded(places: 2), Self.dollar)))
        held[Self.ether] = all + amount
    }

    private mutating func layAway(on day: Int) {
        guard let (time, _) = place(Self.bitcoin, day), let all = held[Self.bitcoin],
            let amount = all.divided(by: Amount(units: 2), places: 6), amount.isPositive
        else { return }
        let fee = Amount(units: 1, places: 5)
        add(
            Transaction(
                time: time, kind: .transfer, wallet: Self.wallet, toWallet: Self.cold,
                subject: Holding(amount, Self.bitcoin), fee: Holding(fee, Self.bitcoin)))
        held[Self.bitcoin] = all - amount - fee
    }

    private func place(_ asset: Asset, _ day: Int) -> (time: Timestamp, price: Amount)? {
        guard let days = market.days[asset], days.indices.contains(day) else { return nil }
        return days[day]
    }

    private mutating func add(_ row: Transaction) {
        var row = row
        row.externalID = "sample-\(rows.count + 1)"
        rows.append(row)
    }
}
