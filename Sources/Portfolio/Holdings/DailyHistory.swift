public import Instruments
public import Statistics

/// What a ledger was worth at the end of each UTC day, and what came into it and went out of it.
public struct DailyHistory: Sendable {
    /// One day.
    public struct Day: Sendable {
        /// Its end, the first instant of the next day.
        public var end: Timestamp
        /// At its end; `nil` when a price was missing.
        public var value: Amount?
        /// What came in: deposits, gifts, openings, and what had to be there to pay for purchases.
        public var inflow = Amount.zero
        /// What went out: withdrawals, gifts, what was spent.
        public var outflow = Amount.zero

        /// Describes a day without flows.
        public init(end: Timestamp, value: Amount? = nil) {
            self.end = end
            self.value = value
        }
    }

    /// From the day of the first row to the day that contains the end.
    public let days: [Day]
    /// Assets that had no price on a day when they were held.
    public let missingPrices: [Asset]
    /// Whether something came in or went out that had no price then and no stated value.
    public let hasUnknownFlows: Bool
    /// Part of the inflow that no row states: money that a purchase took below zero.
    public let impliedContributions: Amount

    static let day: Int64 = 86_400_000_000_000

    /// Replays a ledger day by day.
    ///
    /// Flows count at the prices known when they happened. A purchase with money that the ledger does not
    /// have is taken for money put in at that moment, since a loan without interest is less likely.
    ///
    /// - Parameters:
    ///   - ledger: What happened.
    ///   - base: The currency of all values.
    ///   - prices: What was known when.
    ///   - end: The last instant that counts.
    ///   - goesOn: Is asked once a day; after a `false` the days end there.
    public init(
        _ ledger: Ledger, base: Asset, prices: PriceBook, until end: Timestamp,
        while goesOn: () -> Bool = { true }
    ) {
        var walk = HistoryWalk(ledger, base: base, prices: prices)
        var days: [Day] = []
        if let first = ledger.transactions.first, first.time <= end {
            // A day that ends beyond the range of time is not counted.
            var start = DailyHistory.startOfDay(first.time)
            while start <= end, start.rawValue <= .max - DailyHistory.day, goesOn() {
                let next = start.adding(nanoseconds: DailyHistory.day)
                days.append(walk.day(endingAt: next, until: end))
                start = next
            }
        }
        self.days = days
        missingPrices = walk.missing.sorted { $0.rawValue < $1.rawValue }
        impliedContributions = walk.implied
        hasUnknownFlows = walk.hasUnknownFlows
    }

    private static func startOfDay(_ time: Timestamp) -> Timestamp {
        let rest = time.rawValue % day
        return time.adding(nanoseconds: rest < 0 ? -rest - day : -rest)
    }

    /// The same as numbers, for statistics; `nil` while a value is missing.
    public var series: ValueSeries? {
        var result: [ValueSeries.Day] = []
        for day in days {
            guard let value = day.value else { return nil }
            result.append(
                .init(value: .init(value), inflow: .init(day.inflow), outflow: .init(day.outflow)))
        }
        return ValueSeries(result)
    }
}

/// Goes through a ledger once, in days.
struct HistoryWalk {
    private let ledger: Ledger
    private let base: Asset
    private let prices: PriceBook
    private var next = 0
    private var amounts: [Amount]
    /// How much of each currency was taken for put in.
    private var lent: [Amount]
    private(set) var missing: Set<Asset> = []
    private(set) var implied = Amount.zero
    private(set) var hasUnknownFlows = false

    init(_ ledger: Ledger, base: Asset, prices: PriceBook) {
        self.ledger = ledger
        self.base = base
        self.prices = prices
        amounts = [Amount](repeating: .zero, count: ledger.names.assets.count)
        lent = amounts
    }

    mutating func day(endingAt end: Timestamp, until last: Timestamp) -> DailyHistory.Day {
        var day = DailyHistory.Day(end: end)
        while next < ledger.transactions.count, ledger.transactions[next].time < end,
            ledger.transactions[next].time <= last
        {
            apply(ledger.transactions[next], ledger.postings[next], &day)
            next += 1
        }
        day.value = value(at: min(end.adding(nanoseconds: -1), last))
        return day
    }

    private mutating func apply(_ row: Transaction, _ posting: Posting, _ day: inout DailyHistory.Day) {
        posting.move { amounts[Int(ledger.names.accounts[Int($0)].asset)] += $1 }
        switch row.kind {
        case .deposit, .giftIn, .opening: day.inflow += worth(row.subject, row.counter, row.time)
        case .withdrawal, .giftOut, .spend: day.outflow += worth(row.subject, row.counter, row.time)
        default: break
        }
        let accounts = posting.accounts
        for account in [accounts.subject, accounts.counter, accounts.fee] where account >= 0 {
            let asset = Int(ledger.names.accounts[Int(account)].asset)
            guard ledger.names.isCurrency[asset] else { continue }
            let short = -(amounts[asset] + lent[asset])
            guard short.isPositive else { continue }
            lent[asset] += short
            let value = worth(Holding(short, ledger.names.assets[asset]), nil, row.time)
            day.inflow += value
            implied += value
        }
    }

    private mutating func worth(_ holding: Holding, _ stated: Holding?, _ time: Timestamp) -> Amount {
        for known in [holding, stated].compactMap({ $0 }) {
            if let price = prices.price(of: known.asset, in: base, at: time) {
                return known.amount * price.price
            }
        }
        missing.insert(holding.asset)
        hasUnknownFlows = true
        return .zero
    }

    private mutating func value(at time: Timestamp) -> Amount? {
        var sum: Amount? = .zero
        for (asset, amount) in amounts.enumerated() {
            let held = amount + lent[asset]
            if held.isZero { continue }
            let name = ledger.names.assets[asset]
            if let price = prices.price(of: name, in: base, at: time) {
                sum = sum.map { $0 + held * price.price }
            } else {
                missing.insert(name)
                sum = nil
            }
        }
        return sum
    }
}
