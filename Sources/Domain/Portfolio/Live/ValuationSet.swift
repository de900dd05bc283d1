package import Instruments

/// What many portfolios are worth now, kept up to date price by price.
///
/// A new price costs one multiplication and one addition for each portfolio that holds the asset, and
/// nothing for the others. Sums are exact, so that they never drift.
package struct ValuationSet: Sendable {
    /// A portfolio on the board: a small number that is used again after its removal.
    package typealias Place = Int32

    /// One asset in one base currency.
    private struct Slot {
        var pair: QuotePair
        var quote: LiveQuote?
        var holders = Holders()
    }
    private struct Portfolio {
        var base: Asset
        var holdings: [Holding]
        var slots: [Int32]
    }

    private var book = LiveQuotes()
    private var slots: [Slot] = []
    private var slotNumbers: [QuotePair: Int32] = [:]
    private var slotsByAsset: [Asset: [Int32]] = [:]
    private var portfolios: [Portfolio?] = []
    private var values = RunningValues()
    private var free: [Place] = []

    /// Holdings that were revalued so far.
    package private(set) var updates: UInt64 = 0

    package init() {}

    // MARK: Portfolios

    /// Puts a portfolio on the board.
    ///
    /// - Parameters:
    ///   - holdings: Each asset once; what is zero is left out.
    ///   - base: The currency of its values.
    /// - Returns: Its place.
    package mutating func add(_ holdings: [Holding], base: Asset) -> Place {
        let place = free.popLast() ?? Place(portfolios.count)
        if Int(place) == portfolios.count { portfolios.append(nil) }
        values.begin(place)
        let held = holdings.filter { !$0.amount.isZero }
        var portfolio = Portfolio(base: base, holdings: held, slots: [])
        for holding in held {
            let slot = slot(QuotePair(holding.asset, base))
            slots[Int(slot)].holders.append(place, holding.amount)
            portfolio.slots.append(slot)
            if let quote = slots[Int(slot)].quote { values.add(holding.amount * quote.price, to: place) }
        }
        portfolios[Int(place)] = portfolio
        values.mark(place)
        return place
    }

    /// Takes a portfolio off the board.
    package mutating func remove(_ place: Place) {
        guard let portfolio = portfolios[Int(place)] else { return }
        for slot in portfolio.slots { slots[Int(slot)].holders.remove(place) }
        portfolios[Int(place)] = nil
        values.end(place)
        free.append(place)
    }

    private mutating func slot(_ pair: QuotePair) -> Int32 {
        if let known = slotNumbers[pair] { return known }
        let number = Int32(slots.count)
        slots.append(Slot(pair: pair, quote: resolve(pair)))
        slotNumbers[pair] = number
        slotsByAsset[pair.asset, default: []].append(number)
        return number
    }

    private func resolve(_ pair: QuotePair) -> LiveQuote? {
        guard pair.asset != pair.currency else {
            return LiveQuote(price: .one, time: .zero, source: "itself")
        }
        return book.quote(pair.asset, pair.currency)
    }

    // MARK: Prices

    /// Takes a price, and revalues what it is part of.
    ///
    /// - Parameters:
    ///   - quote: `nil` when nothing is known any more.
    ///   - pair: What it is of, and in what.
    package mutating func update(_ quote: LiveQuote?, of pair: QuotePair) {
        guard book.set(pair, quote) else { return }
        let isMiddle = LiveQuotes.isMiddle(pair.asset)
        guard isMiddle else {
            for slot in slotsByAsset[pair.asset] ?? [] { reprice(Int(slot)) }
            return
        }
        for slot in slots.indices { reprice(slot) }
    }

    private mutating func reprice(_ number: Int) {
        let new = resolve(slots[number].pair)
        let old = slots[number].quote
        guard new != old else { return }
        slots[number].quote = new
        let change = (new?.price ?? .zero) - (old?.price ?? .zero)
        // A new time alone changes no value, and is told with the next one.
        let isNews =
            !change.isZero || new?.stale != old?.stale || new?.origin != old?.origin
            || (new == nil) != (old == nil)
        guard isNews else { return }
        updates &+= UInt64(slots[number].holders.count)
        values.add(change, times: slots[number].holders)
    }

    // MARK: Values

    /// Portfolios whose value, or what is known of it, changed since the last call.
    package mutating func takeChanged() -> [Place] { values.takeChanged() }

    /// Makes the next ``takeChanged()`` name every portfolio.
    package mutating func markAllChanged() {
        for place in portfolios.indices where portfolios[place] != nil { values.mark(Place(place)) }
    }

    /// What a portfolio is worth; `nil` when it is not on the board.
    package func value(of place: Place) -> LiveValuation? {
        guard portfolios.indices.contains(Int(place)), let portfolio = portfolios[Int(place)] else {
            return nil
        }
        let positions = zip(portfolio.holdings, portfolio.slots).map { holding, slot in
            LiveValuation.Position(holding: holding, quote: slots[Int(slot)].quote)
        }
        return LiveValuation(
            base: portfolio.base, known: values.value(of: place),
            positions: positions.sorted { $0.holding.asset.rawValue < $1.holding.asset.rawValue })
    }
}
