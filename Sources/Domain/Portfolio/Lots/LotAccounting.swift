import Instruments

/// Applies rows in order and keeps the lots.
///
/// All money is in the base currency.
struct LotAccounting {
    /// Places to which a cost is divided: as fine as the finest coins count.
    static let places = 18

    let ledger: Ledger
    let base: Asset
    let prices: PriceHistory
    private let policy: LotPolicy

    var lots: [Lot] = []
    var pools: [LotPool] = []
    private(set) var method: LotMethod
    private(set) var scope: LotScope
    private var nextChange = 1

    var pieces: [LotPiece] = []
    var disposals: [Disposal] = []
    var removals: [Removal] = []
    var income: [IncomeEntry] = []
    var fees: [FeeEntry] = []
    var assumed: [AssumedEntry] = []
    var missing: [MissingPrice] = []
    /// Old prices that were used, each once for a row.
    var stale: [StalePrice] = []
    /// The row that is being applied.
    var current = 0
    var flows = FlowTotals()
    /// What every account holds.
    var balances: [Amount]
    /// The unit price of the lot of each piece, for the lots that transfers make of them.
    var piecePrices: [UnitPrice] = []
    /// Lots by the row that acquired them; kept only where a row chooses lots.
    var lotsByEntry: [Int32: [Int32]] = [:]
    let hasChoices: Bool
    /// Whether a method of the policy asks what a unit was bought for.
    let needsUnitPrices: Bool
    /// The number of the base currency; `nil` where the ledger has none of it.
    let baseNumber: Int32?
    /// Rows by external id; kept only where a row chooses lots.
    let entries: [String: Int32]

    init(_ ledger: Ledger, _ policy: LotPolicy, base: Asset, prices: PriceHistory) {
        self.ledger = ledger
        self.policy = policy
        self.base = base
        self.prices = prices
        method = policy.changes[0].method
        scope = policy.changes[0].scope
        balances = [Amount](repeating: .zero, count: ledger.names.accounts.count)
        needsUnitPrices = policy.changes.contains { $0.method == .hifo || $0.method == .lofo }
        baseNumber = ledger.names.number(of: base)
        hasChoices =
            policy.changes.contains { $0.method == .specific }
            && ledger.transactions.contains { !$0.lots.isEmpty }
        entries = hasChoices ? LotAccounting.entries(ledger) : [:]
        pools = LotAccounting.emptyPools(ledger, method, scope)
        lots.reserveCapacity(ledger.transactions.count)
        pieces.reserveCapacity(ledger.transactions.count)
    }

    private static func entries(_ ledger: Ledger) -> [String: Int32] {
        var entries: [String: Int32] = [:]
        for (index, transaction) in ledger.transactions.enumerated() where !transaction.externalID.isEmpty {
            entries[transaction.externalID] = Int32(index)
        }
        return entries
    }

    private static func emptyPools(_ ledger: Ledger, _ method: LotMethod, _ scope: LotScope) -> [LotPool] {
        let count = scope == .universal ? ledger.names.assets.count : ledger.names.accounts.count
        return [LotPool](repeating: LotPool(heap: LotHeap(method)), count: count)
    }

    /// Applies everything up to and including `end`, or to the end of the ledger.
    mutating func run(until end: Timestamp?) throws(LedgerError) {
        let postings = ledger.postings
        for index in postings.indices {
            let time = postings[index].time
            if let end, time > end { break }
            while nextChange < policy.changes.count, policy.changes[nextChange].from <= time {
                change(to: policy.changes[nextChange])
                nextChange += 1
            }
            current = index
            try apply(index, postings[index])
            postings[index].move { balances[Int($0)] += $1 }
        }
    }

    func pool(_ account: Int32) -> Int {
        scope == .wallet ? Int(account) : Int(ledger.names.accounts[Int(account)].asset)
    }

    func isMoney(_ account: Int32) -> Bool { ledger.names.isCurrency(account: account) }

    // MARK: Lots

    mutating func add(_ lot: Lot, to pool: Int) {
        let number = Int32(lots.count)
        lots.append(lot)
        pools[pool].heap.push(LotHeap.Element(lot, number))
        pools[pool].amount += lot.amount
        pools[pool].basis += lot.basis
        if hasChoices { lotsByEntry[lot.entry, default: []].append(number) }
    }

    /// Takes coins out of a pool and appends their pieces.
    ///
    /// - Returns: The cost of all pieces.
    /// - Precondition: The ledger was validated, so that the pool holds that much.
    mutating func take(_ amount: Amount, from pool: Int, row: Int, hasChoices: Bool = false)
        throws(LedgerError) -> Amount
    {
        let start = pieces.count
        var left = amount
        if method == .specific, hasChoices {
            try takeChosen(ledger.transactions[row].lots, &left, pool, row)
        }
        while left.isPositive {
            guard let top = pools[pool].heap.top else {
                preconditionFailure("a validated ledger never takes more than is there")
            }
            let lot = Int(top)
            // What was chosen out of the middle of the heap is left in it, empty.
            if lots[lot].amount.isZero {
                pools[pool].heap.pop()
                continue
            }
            let part = min(left, lots[lot].amount)
            cut(part, from: lot)
            left -= part
            if lots[lot].amount.isZero { pools[pool].heap.pop() }
        }
        if method == .average { averageCosts(of: start..<pieces.count, amount, pool) }
        var cost = Amount.zero
        for piece in pieces[start...] { cost += piece.costBasis }
        pools[pool].amount -= amount
        pools[pool].basis -= cost
        return cost
    }

    private mutating func cut(_ part: Amount, from number: Int) {
        let lot = lots[number]
        let cost =
            part == lot.amount
            ? lot.basis : lot.basis.portion(part, of: lot.amount, places: LotAccounting.places) ?? .zero
        lots[number].amount -= part
        lots[number].basis -= cost
        pieces.append(
            LotPiece(
                acquired: lot.acquired, amount: part, costBasis: cost, acquiredBy: Int(lot.entry),
                assumed: lot.assumed))
        if needsUnitPrices { piecePrices.append(lot.price) }
    }

    private mutating func takeChosen(_ choices: [LotChoice], _ left: inout Amount, _ pool: Int, _ row: Int)
        throws(LedgerError)
    {
        for choice in choices {
            var wanted = choice.amount
            for number in entries[choice.acquiredBy].flatMap({ lotsByEntry[$0] }) ?? []
            where self.pool(lots[Int(number)].account) == pool && wanted.isPositive {
                let part = min(wanted, lots[Int(number)].amount)
                guard part.isPositive else { continue }
                cut(part, from: Int(number))
                wanted -= part
            }
            left -= choice.amount
            guard wanted.isZero, !left.isNegative else {
                throw LedgerError(
                    index: ledger.sources[row], time: ledger.transactions[row].time,
                    reason: .lotUnavailable(choice))
            }
        }
    }

    /// Gives pieces their share of the pool's cost instead of their lots' own.
    private mutating func averageCosts(of range: Range<Int>, _ amount: Amount, _ pool: Int) {
        let all = pools[pool]
        let cost =
            amount == all.amount
            ? all.basis : all.basis.portion(amount, of: all.amount, places: LotAccounting.places) ?? .zero
        var rest = cost
        for index in range {
            let piece = pieces[index]
            let part =
                index == range.upperBound - 1
                ? rest : cost.portion(piece.amount, of: amount, places: LotAccounting.places) ?? .zero
            rest -= part
            pieces[index] = LotPiece(
                acquired: piece.acquired, amount: piece.amount, costBasis: part,
                acquiredBy: piece.acquiredBy, assumed: piece.assumed)
        }
    }

    // MARK: Policy

    private mutating func change(to change: LotPolicy.Change) {
        if method == .average { spreadAverageCosts() }
        method = change.method
        if scope == change.scope {
            for pool in pools.indices { pools[pool].heap.reorder(method) }
        } else {
            rebuild(change.scope)
        }
    }

    /// Lots take the average cost over, so that another method goes on from it, and orders by it.
    private mutating func spreadAverageCosts() {
        for index in pools.indices {
            let pool = pools[index]
            let open = pool.heap.sorted.filter { !lots[Int($0.lot)].amount.isZero }
            let parts = pool.basis.split(
                by: open.map { lots[Int($0.lot)].amount }, places: LotAccounting.places)
            // One price for all of them, whatever the last place of a part was rounded to.
            let price = needsUnitPrices ? UnitPrice(pool.basis, for: pool.amount) : .zero
            for (element, part) in zip(open, parts) {
                lots[Int(element.lot)].basis = part
                lots[Int(element.lot)].price = price
            }
            pools[index].heap.price(at: price)
        }
    }

    /// Puts the open lots into pools of the other scope.
    ///
    /// From universal to wallets the oldest lots go to the wallets in order of name, each until it has lots
    /// for what it holds: one of the allocations that Rev. Proc. 2024-28, section 5.02, describes.
    private mutating func rebuild(_ scope: LotScope) {
        let open = pools.flatMap { $0.heap.elements }.filter { !lots[Int($0.lot)].amount.isZero }
            .sorted { $0.isOlder(than: $1) }
        self.scope = scope
        pools = LotAccounting.emptyPools(ledger, method, scope)
        guard scope == .wallet else {
            for element in open { readd(element) }
            return
        }
        var room = balances
        let order = balances.indices.sorted {
            ledger.names.walletName(ofAccount: Int32($0)) < ledger.names.walletName(ofAccount: Int32($1))
        }
        for element in open {
            let asset = ledger.names.accounts[Int(lots[Int(element.lot)].account)].asset
            for account in order
            where ledger.names.accounts[account].asset == asset && room[account].isPositive {
                let lot = lots[Int(element.lot)]
                guard lot.amount.isPositive else { break }
                let part = min(room[account], lot.amount)
                move(part, of: Int(element.lot), to: Int32(account))
                room[account] -= part
            }
        }
    }

    private mutating func readd(_ element: LotHeap.Element) {
        let lot = lots[Int(element.lot)]
        let pool = pool(lot.account)
        pools[pool].heap.push(element)
        pools[pool].amount += lot.amount
        pools[pool].basis += lot.basis
    }

    private mutating func move(_ part: Amount, of number: Int, to account: Int32) {
        var lot = lots[number]
        let cost =
            part == lot.amount
            ? lot.basis : lot.basis.portion(part, of: lot.amount, places: LotAccounting.places) ?? .zero
        lots[number].amount -= part
        lots[number].basis -= cost
        (lot.amount, lot.basis, lot.account) = (part, cost, account)
        add(lot, to: pool(account))
    }
}
