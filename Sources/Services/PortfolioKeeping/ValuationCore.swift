import Bus
import Instruments
import MarketStore
import Portfolio
import PortfolioStore
import Store
import Wire

/// Portfolios and prices with what ties them to the bus: batches in, valuations out.
struct ValuationCore: Sendable {
    private struct Entry {
        var place: ValuationSet.Place
        var portfolio: StoredPortfolio
        var topic: PublisherTopic?
        /// What its value is compared with; `nil` when it could not be computed.
        var basis: PortfolioBasis?
        /// When a transaction counts that is dated later than the reading.
        var next: Timestamp?
        /// Whether something may have happened in the database that nobody told, even a restoration.
        var isDoubted = false
        /// Whether it is to be read again, for ``next`` has come.
        var isDue = false
    }
    /// What an index said last, by whom.
    private struct Index {
        var producer: String
        var quote: LiveQuote
    }

    var valuations = ValuationSet()
    private(set) var published: UInt64 = 0
    private(set) var refused: UInt64 = 0
    var malformed: UInt64 = 0
    /// Whether the broker has answered what it retains.
    private(set) var isSynchronized = false
    private var entries: [PortfolioID: Entry] = [:]
    private var owners: [ValuationSet.Place: PortfolioID] = [:]
    /// The earliest of what the entries wait for, or earlier.
    private var nextDue: Timestamp?
    private var indices: [QuotePair: Index] = [:]
    /// Assets that an index has priced.
    var indexedAssets: Set<Asset> = []
    /// Assets that were ever held by a portfolio that is valued here.
    private(set) var assets: Set<Asset> = []
    var tickers = TickerQuotes()
    private var held: Set<Shard> = []
    /// Portfolios that were deleted, to be told as such.
    private var farewells: [StoredPortfolio] = []
    private var rates: [Asset: StoredEuroRate] = [:]
    private var silent: Set<String> = []
    private var isBusSilent = false
    private let publisher: Publisher

    init(_ publisher: Publisher) { self.publisher = publisher }

    var count: Int { entries.count }
    /// Prices that are known.
    var prices: Int { indices.count }

    /// Whether a portfolio is valued as it is stored now.
    ///
    /// Its changes are compared with their times: after a restoration the same number is another change.
    mutating func isCurrent(_ portfolio: StoredPortfolio) -> Bool {
        guard let known = entries[portfolio.id]?.portfolio, known.change == portfolio.change,
            known.changed == portfolio.changed, known.user == portfolio.user,
            entries[portfolio.id]?.isDue == false
        else { return false }
        entries[portfolio.id]?.isDoubted = false
        return true
    }

    /// Takes whatever is read next of every portfolio, also what is older than what is valued.
    mutating func doubtAll() {
        for id in entries.keys { entries[id]?.isDoubted = true }
    }

    /// Takes note of the transactions whose time has come.
    ///
    /// - Returns: Whether there are any, so that portfolios have to be read.
    mutating func fallDue(at now: Timestamp) -> Bool {
        guard let nextDue, nextDue <= now else { return false }
        for id in ids(where: { entries[$0]?.next.map { $0 <= now } ?? false }) {
            entries[id]?.next = nil
            entries[id]?.isDue = true
        }
        self.nextDue = entries.values.compactMap(\.next).min()
        return true
    }

    // MARK: Portfolios

    /// Values a portfolio as it is now.
    ///
    /// Nothing is put that another instance values, and nothing older than what is there, unless that is in
    /// doubt.
    mutating func put(_ portfolio: StoredPortfolio, _ contents: LedgerReader.Contents) {
        guard held.contains(portfolio.id.shard),
            entries[portfolio.id].map({ $0.isDoubted || $0.portfolio.change <= portfolio.change }) ?? true
        else { return }
        let topic = entries[portfolio.id]?.topic ?? topic(of: portfolio.id)
        remove(portfolio.id)
        let place = valuations.add(contents.holdings, base: portfolio.base)
        entries[portfolio.id] = Entry(
            place: place, portfolio: portfolio, topic: topic, basis: contents.basis, next: contents.next)
        if let next = contents.next { nextDue = min(nextDue ?? next, next) }
        owners[place] = portfolio.id
        assets.formUnion(contents.holdings.map(\.asset))
    }

    /// Compares the value of a portfolio with something else, as after midnight.
    mutating func compare(_ id: PortfolioID, with basis: PortfolioBasis) {
        guard let entry = entries[id], entry.basis != basis else { return }
        entries[id]?.basis = basis
        valuations.markAllChanged()
    }

    /// Portfolios whose change of the day cannot be told, as many as are looked at in one go.
    func lackingDay(at now: Timestamp) -> [StoredPortfolio] {
        let day = PortfolioBasis.day(of: now)
        // tidy: unordered-iteration Those that are left over are next.
        return entries.values.lazy.filter { $0.basis?.day != day || $0.basis?.dayStart == nil }
            .prefix(1_000).map(\.portfolio)
    }

    /// Values the portfolios of these shards from now on, and no others.
    mutating func hold(_ shards: Set<Shard>) {
        held = shards
        for id in ids(where: { !shards.contains($0.shard) }) { remove(id) }
    }

    /// Whether a portfolio is this instance's.
    func holds(_ id: PortfolioID) -> Bool { held.contains(id.shard) }

    /// Forgets a portfolio that was deleted, and tells an empty value in the place of its last one.
    mutating func forget(_ id: PortfolioID) {
        if let entry = entries[id], entry.topic != nil { farewells.append(entry.portfolio) }
        remove(id)
    }

    /// Values a portfolio no longer.
    mutating func remove(_ id: PortfolioID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        valuations.remove(entry.place)
        owners[entry.place] = nil
    }

    /// Forgets all but these.
    mutating func keep(only ids: Set<PortfolioID>) {
        for id in self.ids(where: { !ids.contains($0) }) { forget(id) }
    }

    private func ids(where isWanted: (PortfolioID) -> Bool) -> [PortfolioID] {
        entries.keys.filter(isWanted).sorted {
            ($0.rawValue.high, $0.rawValue.low) < ($1.rawValue.high, $1.rawValue.low)
        }
    }

    private func topic(of id: PortfolioID) -> PublisherTopic? {
        // No topic is free above a bound that is far more than what is followed.
        try? publisher.topic(Topic.portfolioValuation(id.description))
    }

    // MARK: Prices

    /// Everything that one batch of the bus says.
    mutating func take(_ batch: BusBatch) {
        for event in batch.events {
            switch event {
            case .message(let message): take(message, batch)
            case .producerSilent(let name):
                silent.insert(name)
                judge()
            case .producerBack(let name), .producerRestarted(let name, _):
                if silent.remove(name) != nil { judge() }
            case .busSilent:
                isBusSilent = true
                judge()
            case .synchronized: hear()
            case .stateAnswered: isSynchronized = true
            case .forgotten(let gone):
                forget(Set(gone.producers.map(batch.producer)))
            case .gap, .overflow: break
            }
        }
    }

    /// Nobody says any more who these were; of what they said last it stays known that it is not of now.
    private mutating func forget(_ producers: Set<String>) {
        let ofIndices = Set(indices.values.map(\.producer))
        silent.subtract(producers.subtracting(tickers.producers).subtracting(ofIndices))
    }

    /// The bus speaks again.
    private mutating func hear() {
        guard isBusSilent else { return }
        isBusSilent = false
        judge()
    }

    private mutating func take(_ message: BusMessage, _ batch: BusBatch) {
        if !message.isRetained { hear() }
        let topic = batch.topic(message.topic)
        if topic.hasPrefix("market.tickers.") { return takeTickers(message, batch) }
        guard topic.hasPrefix("index.") else { return }
        guard case .indexPrice(let index)? = try? batch.decode(message), let pair = QuotePair(index.pair)
        else {
            malformed &+= 1
            return
        }
        take(index, of: pair, by: batch.producer(message.producer))
    }

    private mutating func take(_ index: Bitpal_V1_IndexPrice, of pair: QuotePair, by producer: String) {
        guard !index.price.isEmpty else {
            // The last one that was known stays, and says why it is not of now.
            guard var known = indices[pair] else { return }
            known.quote.stale = index.unavailable.isEmpty ? "the index has no price" : index.unavailable
            return set(known, of: pair)
        }
        guard let price = try? Amount(parsing: index.price), price.isPositive else {
            malformed &+= 1
            return
        }
        let quote = LiveQuote(
            price: price, time: Timestamp(nanoseconds: index.computedTimeUnixNanos),
            source: "index \(index.pair)")
        set(Index(producer: producer, quote: quote), of: pair)
    }

    private mutating func set(_ index: Index, of pair: QuotePair) {
        prefersIndex(of: pair.asset)
        indices[pair] = index
        var quote = index.quote
        if quote.stale == nil { quote.stale = doubt(about: index.producer) }
        valuations.update(quote, of: pair)
    }

    /// Why what somebody said is not of now; `nil` where it is.
    func doubt(about producer: String) -> String? {
        if silent.contains(producer) { return "nothing is heard of \(producer)" }
        return isBusSilent ? "nothing is heard of the bus" : nil
    }

    /// Says of every price anew whether it is of now.
    private mutating func judge() {
        // tidy: unordered-iteration Each is about another pair.
        for (pair, index) in indices { set(index, of: pair) }
        judgeTickers()
    }

    /// Takes the newest reference rates: what an index of the bus prices is left to it.
    mutating func take(_ newest: [StoredEuroRate], at now: Timestamp) {
        let euro = Asset(rawValue: "EUR")
        for rate in newest {
            rates[rate.rate.currency] = rate
            let pair = QuotePair(euro, rate.rate.currency)
            guard indices[pair] == nil else { continue }
            let isOld = now.nanoseconds(since: rate.rate.time) > EuroRate.staleAfter
            valuations.update(
                LiveQuote(
                    price: rate.rate.rate, time: rate.rate.time,
                    source: "\(rate.source) \(rate.rate.date)",
                    stale: isOld ? "the newest rate of \(rate.rate.currency) is of \(rate.rate.date)" : nil,
                    origin: .aggregated),
                of: pair)
        }
    }

    /// Currencies with a reference rate.
    var rateCount: Int { rates.count }

    // MARK: Valuations

    /// The broker knows nothing any more.
    mutating func forgetTold() { valuations.markAllChanged() }

    /// Tells every portfolio whose value changed, of the shards that may be told.
    mutating func publish(_ shards: Set<Shard>, at now: Timestamp) {
        // Before the broker has said what it retains, every price would be missing.
        guard isSynchronized, !shards.isEmpty else { return }
        var batch = OutboundBatch()
        for place in valuations.takeChanged() {
            guard let id = owners[place], shards.contains(id.shard), let entry = entries[id],
                let topic = entry.topic,
                let value = valuations.value(of: place)
            else { continue }
            var message = Bitpal_V1_PortfolioValuation(value, of: entry.portfolio, at: now)
            message.compare(value, with: entry.basis, at: now)
            batch.append(.portfolioValuation(message), to: topic)
            published &+= 1
            if batch.byteCount > 1 << 20 { send(&batch) }
        }
        send(&batch)
        let leaving = farewells
        farewells = []
        for portfolio in leaving where shards.contains(portfolio.id.shard) {
            if !sayFarewell(portfolio, at: now) { farewells.append(portfolio) }
        }
    }

    /// Tells who looks at a deleted portfolio that it is worth nothing any more, and ends its topic, so that
    /// nobody keeps its last value; false when it has to be told again.
    private mutating func sayFarewell(_ portfolio: StoredPortfolio, at now: Timestamp) -> Bool {
        // One that is back, as after a restoration, is told as it is.
        guard entries[portfolio.id] == nil, let topic = topic(of: portfolio.id) else { return true }
        let nothing = LiveValuation(base: portfolio.base, known: .zero, positions: [])
        var message = Bitpal_V1_PortfolioValuation(nothing, of: portfolio, at: now)
        (message.value, message.knownValue) = ("", "")
        var batch = OutboundBatch()
        batch.append(.portfolioValuation(message), to: topic)
        return send(&batch) && publisher.end(topic)
    }

    @discardableResult
    private mutating func send(_ batch: inout OutboundBatch) -> Bool {
        guard !batch.isEmpty else { return true }
        let count = batch.count
        let isTaken = publisher.offer(&batch)
        if !isTaken { refused &+= UInt64(count) }
        batch = OutboundBatch()
        return isTaken
    }
}

extension QuotePair {
    /// `BTC-USD`; the last hyphen parts the two.
    fileprivate init?(_ text: String) {
        guard let hyphen = text.lastIndex(of: "-"), hyphen != text.startIndex else { return nil }
        let currency = text[text.index(after: hyphen)...]
        guard !currency.isEmpty else { return nil }
        self.init(Asset(rawValue: String(text[..<hyphen])), Asset(rawValue: String(currency)))
    }
}

extension Bitpal_V1_PortfolioValuation {
    /// Says what became of a portfolio, as far as that is known.
    fileprivate mutating func compare(_ value: LiveValuation, with basis: PortfolioBasis?, at now: Timestamp)
    {
        guard let total = value.total, let basis else { return }
        profit = basis.contributed.map { (total - $0).description } ?? ""
        guard basis.day == PortfolioBasis.day(of: now) else { return }
        dayChange = basis.dayStart.map { (total - $0).description } ?? ""
    }

    init(_ value: LiveValuation, of portfolio: StoredPortfolio, at now: Timestamp) {
        self.init()
        self.portfolio = portfolio.id.description
        base = value.base.rawValue
        timeUnixNanos = now.nanoseconds
        change = portfolio.change
        self.value = value.total?.description ?? ""
        knownValue = value.known.description
        positions = value.positions.map { position in
            var message = Bitpal_V1_PortfolioPosition()
            message.asset = position.holding.asset.rawValue
            message.amount = position.holding.amount.description
            message.price = position.quote?.price.description ?? ""
            message.priceTimeUnixNanos = position.quote?.time.nanoseconds ?? 0
            message.source = position.quote?.source ?? ""
            message.value = position.value?.description ?? ""
            message.stale = position.quote?.stale ?? ""
            message.origin = position.quote?.origin.rawValue ?? ""
            return message
        }
        missing = value.missing.map(\.rawValue)
        stale = value.stale.map(\.rawValue)
    }
}
