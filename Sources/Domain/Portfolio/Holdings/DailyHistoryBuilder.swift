import Instruments

/// Goes through a ledger once, in days.
struct DailyHistoryBuilder {
    /// Money of one currency that was taken for put in and has not come back.
    private struct Loan {
        var amount = Amount.zero
        /// At the prices of when it was put in.
        var worth = Amount.zero
    }

    private let ledger: Ledger
    private let base: Asset
    private let prices: PriceHistory
    private var next = 0
    private var amounts: [Amount]
    /// By asset; what is below zero there.
    private var loans: [Loan]
    /// Money that came back and may be put in again.
    private var returned = Amount.zero
    private(set) var missing: Set<Asset> = []
    /// Assets that were valued by an old price.
    private(set) var stale: Set<Asset> = []
    /// The same two of the day alone.
    private var missingToday: Set<Asset> = []
    private var staleToday: Set<Asset> = []
    private(set) var implied = Amount.zero
    private(set) var recycled = Amount.zero

    init(_ ledger: Ledger, base: Asset, prices: PriceHistory) {
        self.ledger = ledger
        self.base = base
        self.prices = prices
        amounts = [Amount](repeating: .zero, count: ledger.names.assets.count)
        loans = [Loan](repeating: Loan(), count: amounts.count)
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
        name(&day)
        return day
    }

    /// Says what the day lacked, and begins the next one.
    private mutating func name(_ day: inout DailyHistory.Day) {
        guard !missingToday.isEmpty || !staleToday.isEmpty else { return }
        day.missingPrices = missingToday.sorted { $0.rawValue < $1.rawValue }
        day.stalePrices = staleToday.sorted { $0.rawValue < $1.rawValue }
        missing.formUnion(missingToday)
        stale.formUnion(staleToday)
        missingToday.removeAll(keepingCapacity: true)
        staleToday.removeAll(keepingCapacity: true)
    }

    private mutating func apply(_ row: Transaction, _ posting: Posting, _ day: inout DailyHistory.Day) {
        posting.move { amounts[Int(ledger.names.accounts[Int($0)].asset)] += $1 }
        var repaid = Amount.zero
        let accounts = posting.accounts
        for account in [accounts.subject, accounts.counter, accounts.fee] where account >= 0 {
            let asset = Int(ledger.names.accounts[Int(account)].asset)
            guard ledger.names.isCurrency[asset] else { continue }
            let change = max(-amounts[asset], .zero) - loans[asset].amount
            if change.isPositive {
                lend(change, of: asset, row.time, &day)
            } else if change.isNegative {
                let isDeposit = row.kind.bringsFromOutside && account == accounts.subject
                if isDeposit { repaid = -change }
                payBack(-change, of: asset, isDeposit: isDeposit, row.time, &day)
            }
        }
        switch row.kind {
        case .deposit, .giftIn, .opening:
            let whole = worth(row.subject, row.counter, row.time, &day)
            let rest = row.subject.amount - repaid
            day.inflow += whole.portion(rest, of: row.subject.amount, places: LotAccounting.places) ?? whole
        case .withdrawal, .giftOut, .spend: day.outflow += worth(row.subject, row.counter, row.time, &day)
        default: break
        }
    }

    private mutating func lend(
        _ amount: Amount, of asset: Int, _ time: Timestamp, _ day: inout DailyHistory.Day
    ) {
        let worth = worth(Holding(amount, ledger.names.assets[asset]), nil, time, &day)
        loans[asset].amount += amount
        loans[asset].worth += worth
        implied += worth
        day.inflow += worth
        let again = min(worth, returned)
        returned -= again
        recycled += again
    }

    /// A deposit brings what was counted when it was missed: it counts no second time.
    private mutating func payBack(
        _ amount: Amount, of asset: Int, isDeposit: Bool, _ time: Timestamp, _ day: inout DailyHistory.Day
    ) {
        let loan = loans[asset]
        let counted =
            amount == loan.amount
            ? loan.worth : loan.worth.portion(amount, of: loan.amount, places: LotAccounting.places) ?? .zero
        loans[asset].amount -= amount
        loans[asset].worth -= counted
        guard !isDeposit else { return implied -= counted }
        let worth = worth(Holding(amount, ledger.names.assets[asset]), nil, time, &day)
        day.outflow += worth
        returned += worth
    }

    private mutating func worth(
        _ holding: Holding, _ stated: Holding?, _ time: Timestamp, _ day: inout DailyHistory.Day
    ) -> Amount {
        for known in [holding, stated].compactMap({ $0 }) {
            if let price = price(of: known.asset, time) {
                return known.amount * price.price
            }
        }
        missingToday.insert(holding.asset)
        day.hasKnownFlows = false
        return .zero
    }

    private mutating func price(of asset: Asset, _ time: Timestamp) -> PricePoint? {
        let point = prices.price(of: asset, in: base, at: time)
        if let point, time.nanoseconds(since: point.time) > Valuation.staleAfter { staleToday.insert(asset) }
        return point
    }

    private mutating func value(at time: Timestamp) -> Amount? {
        var sum: Amount? = .zero
        for (asset, amount) in amounts.enumerated() where !amount.isZero {
            let name = ledger.names.assets[asset]
            if let price = price(of: name, time) {
                sum = sum.map { $0 + (amount + loans[asset].amount) * price.price }
            } else {
                missingToday.insert(name)
                sum = nil
            }
        }
        return sum
    }

    func owed(at time: Timestamp) -> Amount? {
        var sum = Amount.zero
        for (asset, loan) in loans.enumerated() where !loan.amount.isZero {
            guard let price = prices.price(of: ledger.names.assets[asset], in: base, at: time) else {
                return nil
            }
            sum += loan.amount * price.price
        }
        return sum
    }
}

extension TransactionKind {
    /// Whether it is capital that comes from outside.
    fileprivate var bringsFromOutside: Bool { self == .deposit || self == .giftIn || self == .opening }
}
