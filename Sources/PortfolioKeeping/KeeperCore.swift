import Bus
import Instruments
import Portfolio
import PortfolioStore
import Wire

/// Portfolios and prices with what ties them to the bus: batches in, valuations out.
struct KeeperCore: Sendable {
    private struct Entry {
        var place: ValuationBoard.Place
        var portfolio: StoredPortfolio
        var topic: PublisherTopic?
    }
    /// What an index said last, by whom.
    private struct Index {
        var producer: String
        var quote: LiveQuote
    }

    private(set) var board = ValuationBoard()
    private(set) var published: UInt64 = 0
    private(set) var refused: UInt64 = 0
    private(set) var malformed: UInt64 = 0
    /// Whether the broker has answered what it retains.
    private(set) var isSynchronized = false
    private var entries: [PortfolioID: Entry] = [:]
    private var owners: [ValuationBoard.Place: PortfolioID] = [:]
    private var indices: [QuotePair: Index] = [:]
    private var silent: Set<String> = []
    private var isBusSilent = false
    private let publisher: Publisher

    init(_ publisher: Publisher) { self.publisher = publisher }

    var count: Int { entries.count }
    /// Prices that are known.
    var prices: Int { indices.count }

    /// The change of a portfolio that is valued; `nil` when it is not known.
    func change(of id: PortfolioID) -> Int64? { entries[id]?.portfolio.change }

    // MARK: Portfolios

    /// Values a portfolio as it is now.
    mutating func put(_ portfolio: StoredPortfolio, _ holdings: [Holding]) {
        let topic = entries[portfolio.id]?.topic ?? topic(of: portfolio.id)
        remove(portfolio.id)
        let place = board.add(holdings, base: portfolio.base)
        entries[portfolio.id] = Entry(place: place, portfolio: portfolio, topic: topic)
        owners[place] = portfolio.id
    }

    /// Forgets a portfolio that was deleted.
    mutating func remove(_ id: PortfolioID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        board.remove(entry.place)
        owners[entry.place] = nil
    }

    /// Forgets all but these.
    mutating func keep(only ids: Set<PortfolioID>) {
        for id in entries.keys where !ids.contains(id) { remove(id) }
    }

    private func topic(of id: PortfolioID) -> PublisherTopic? {
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
            case .gap, .overflow: break
            }
        }
    }

    /// The bus speaks again.
    private mutating func hear() {
        guard isBusSilent else { return }
        isBusSilent = false
        judge()
    }

    private mutating func take(_ message: BusMessage, _ batch: BusBatch) {
        if !message.isRetained { hear() }
        guard batch.topic(message.topic).hasPrefix("index.") else { return }
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
        indices[pair] = index
        var quote = index.quote
        if quote.stale == nil, silent.contains(index.producer) {
            quote.stale = "nothing is heard of \(index.producer)"
        }
        if quote.stale == nil, isBusSilent { quote.stale = "nothing is heard of the bus" }
        board.update(quote, of: pair)
    }

    /// Says of every price anew whether it is of now.
    private mutating func judge() {
        for (pair, index) in indices { set(index, of: pair) }
    }

    /// Takes a rate that does not come from the bus.
    mutating func take(_ quote: LiveQuote, of pair: QuotePair) { board.update(quote, of: pair) }

    // MARK: Valuations

    /// The broker knows nothing any more.
    mutating func forgetTold() { board.markAllChanged() }

    /// Tells every portfolio whose value changed.
    mutating func tell(at now: Timestamp) {
        // Before the broker has said what it retains, every price would be missing.
        guard isSynchronized else { return }
        var batch = OutboundBatch()
        for place in board.takeChanged() {
            guard let id = owners[place], let entry = entries[id], let topic = entry.topic,
                let value = board.value(of: place)
            else { continue }
            let message = Bitpal_V1_PortfolioValuation(value, of: entry.portfolio, at: now)
            batch.append(.portfolioValuation(message), to: topic)
            published &+= 1
            if batch.byteCount > 1 << 20 { send(&batch) }
        }
        send(&batch)
    }

    private mutating func send(_ batch: inout OutboundBatch) {
        guard !batch.isEmpty else { return }
        let count = batch.count
        if !publisher.offer(&batch) { refused &+= UInt64(count) }
        batch = OutboundBatch()
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
            return message
        }
        missing = value.missing.map(\.rawValue)
        stale = value.stale.map(\.rawValue)
    }
}
