import Alerting
import Bus
import Instruments
import MarketData
import MarketStore
import Wire

/// What others compute of markets and of what people own, and what venues list.
extension EvaluatorCore {
    // MARK: - Index and mark prices

    mutating func takeIndex(_ message: BusMessage, _ batch: BusBatch, _ pair: String, _ now: Timestamp) {
        guard case .indexPrice(let index)? = try? batch.decode(message) else { return miscarry() }
        guard isAlive(message, batch) else { return }
        let time = Timestamp(nanoseconds: index.computedTimeUnixNanos)
        for place in indexed[pair, default: []].sorted() {
            followers[place].referenceProducer = message.producer
            let follower = followers[place]
            guard let price = DecimalNumber(figure: index.price) else {
                let words = index.price.isEmpty ? "there is no index price" : "the price is out of range"
                let reason = index.unavailable.isEmpty ? words : index.unavailable
                shards[follower.shard]?.doubt(.reference, follower.market, reason, at: now)
                continue
            }
            shards[follower.shard]?.prove(.reference, follower.market, at: now)
            // One that was kept for us was said while nobody looked.
            let lateBy = message.isRetained ? max(0, now.nanoseconds(since: time)) : 0
            shards[follower.shard]?.take(.index, price, at: time, now, lateBy: lateBy, follower.market)
        }
    }

    mutating func takeMark(_ message: BusMessage, _ batch: BusBatch, _ index: Int, _ now: Timestamp) {
        guard case .mark(let id, let mark)? = try? batch.decode(message), id == followers[index].id else {
            return miscarry()
        }
        // A mark price is the feed's word: it is worth as much as the feed.
        guard isOfNow(message, of: id, now) else { return }
        let follower = followers[index]
        shards[follower.shard]?.prove(.mark, follower.market, at: now)
        let lateBy = message.isRetained ? max(0, now.nanoseconds(since: message.publishedTime)) : 0
        shards[follower.shard]?.take(
            .mark, mark.price, at: mark.venueTime, now, lateBy: lateBy, follower.market)
    }

    /// The state of a derivative is the feed's word, as its mark price is.
    mutating func takeDerivative(_ message: BusMessage, _ batch: BusBatch, _ index: Int, _ now: Timestamp) {
        guard case .derivative(let id, let ticker)? = try? batch.decode(message), id == followers[index].id
        else { return miscarry() }
        guard isOfNow(message, of: id, now) else { return }
        let follower = followers[index]
        shards[follower.shard]?.prove(.derivative, follower.market, at: now)
        let lateBy = message.isRetained ? max(0, now.nanoseconds(since: message.publishedTime)) : 0
        for measure in DerivativeMeasure.allCases {
            guard let value = ticker.value(measure) else { continue }
            shards[follower.shard]?.take(
                measure, value, (ticker.venueTime ?? ticker.receivedTime, now), lateBy: lateBy,
                follower.market)
        }
    }

    /// Whether what a feed says of an instrument is worth anything: it lives, follows it and said it lately.
    private func isOfNow(_ message: BusMessage, of id: InstrumentID, _ now: Timestamp) -> Bool {
        feeds[id.venue]?.isLive == true && isFollowed(id)
            && (!message.isRetained || now.nanoseconds(since: message.publishedTime) <= Self.freshness)
    }

    // MARK: - Portfolios

    mutating func takePortfolio(_ message: BusMessage, _ batch: BusBatch, _ id: String, _ now: Timestamp) {
        guard case .portfolioValuation(let valuation)? = try? batch.decode(message),
            valuation.portfolio == id
        else { return miscarry() }
        guard isAlive(message, batch) else { return }
        let time = Timestamp(nanoseconds: valuation.timeUnixNanos)
        for place in valued[id, default: []].sorted() {
            followers[place].referenceProducer = message.producer
            let follower = followers[place]
            for metric in PortfolioMetric.allCases where follower.id == .portfolio(id, metric) {
                switch valuation.figure(metric) {
                case .success(let value):
                    shards[follower.shard]?.prove(.reference, follower.market, at: now)
                    shards[follower.shard]?.take(id, metric, value, at: time)
                case .failure(let unknown):
                    shards[follower.shard]?.doubt(.reference, follower.market, unknown.reason, at: now)
                }
            }
        }
    }

    // MARK: - Listings

    /// What is to be looked for in what venues list.
    struct ListingRequest: Hashable, Sendable {
        var venue: Venue
        /// The last number that is known; `nil` for none.
        var number: Int64?
    }

    /// Venues of which rules want to know what they list.
    var listingRequests: [ListingRequest] {
        places.filter { $0.key.symbol == "*" }
            .map { ListingRequest(venue: $0.key.venue, number: followers[$0.value].listed) }
            .sorted { $0.venue < $1.venue }
    }

    /// What a venue lists beyond what is known, with nothing missing between.
    mutating func take(_ listings: [Listing], to request: ListingRequest, at now: Timestamp) {
        guard let index = places[.listings(of: request.venue)], followers[index].listed == request.number
        else { return }
        let follower = followers[index]
        // What was listed when the first rule was made is nothing new.
        let known =
            request.number
            ?? listings.last { $0.time < follower.listedFrom ?? .zero }?.number ?? 0
        for listing in listings where listing.number > known {
            shards[follower.shard]?.take(listing, now)
        }
        followers[index].listed = max(known, listings.last?.number ?? 0)
        shards[follower.shard]?.isDirty = true
        flush(at: now)
    }

    // MARK: - Losing

    /// What others compute of something cannot be believed from here on.
    mutating func loseReference(_ index: Int, _ reason: String, _ now: Timestamp) {
        let follower = followers[index]
        shards[follower.shard]?.doubt(.reference, follower.market, reason, at: now)
        // Who says it says it again only when it changes.
        let topics = follower.prefixes.filter { $0.hasPrefix("index.") || $0.hasPrefix("portfolio.") }
        if !topics.isEmpty { pendingRequests.requestState(topics.sorted()) }
    }

    /// Neither the mark price nor the rest of a derivative's state can be believed.
    mutating func loseMark(_ index: Int, _ reason: String, _ now: Timestamp) {
        let (follower, reason) = (followers[index], words(reason, of: index))
        shards[follower.shard]?.doubt(.mark, follower.market, reason, at: now)
        shards[follower.shard]?.doubt(.derivative, follower.market, reason, at: now)
    }
}

/// Why a figure of a portfolio is not known.
struct UnknownFigure: Error {
    var reason: String
}

extension Bitpal_V1_PortfolioValuation {
    /// A figure; rules look at none that is made of a price that is missing or not of now.
    func figure(_ metric: PortfolioMetric) -> Result<DecimalNumber, UnknownFigure> {
        guard missing.isEmpty else {
            return .failure(UnknownFigure(reason: "there is no price of \(missing.joined(separator: ", "))"))
        }
        guard stale.isEmpty else {
            return .failure(
                UnknownFigure(reason: "the price of \(stale.joined(separator: ", ")) is not of now"))
        }
        let text =
            switch metric {
            case .value: value
            case .profit: profit
            case .dayChange: dayChange
            }
        if let number = DecimalNumber(figure: text) { return .success(number) }
        let words =
            switch metric {
            case .value: "its worth is not known"
            case .profit: "the worth of something that came in or went out is not known"
            case .dayChange: "what it was worth at midnight UTC is not known"
            }
        return .failure(UnknownFigure(reason: text.isEmpty ? words : "its worth is out of range"))
    }
}

extension DecimalNumber {
    /// A decimal of any length, cut to as many places as fit; `nil` when even its whole part does not.
    init?(figure text: String) {
        var text = text[...]
        while !text.isEmpty {
            if let number = try? DecimalNumber(parsing: String(text)) {
                self = number
                return
            }
            guard text.contains(".") else { return nil }
            text = text.dropLast()
            if text.hasSuffix(".") { text = text.dropLast() }
        }
        return nil
    }
}
