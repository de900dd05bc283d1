import Bus
import Instruments
import MarketData
import MarketState
import MarketStore
import Wire

/// Says index prices on the bus, on change and at most once a second.
struct IndexPublisher: Sendable {
    /// Index prices said.
    private(set) var said: UInt64 = 0
    private var board = IndexPriceSet()
    /// Volumes of 24 hours that other instances say, by the market's number.
    private var volumes: [Int: DecimalNumber] = [:]
    private var topics: [AssetPair: PublisherTopic] = [:]
    private var told: [AssetPair: IndexValue] = [:]
    private let publisher: Publisher

    init(_ publisher: Publisher) { self.publisher = publisher }

    /// The instance that a pair's index is told by is that of this name's shard.
    static func name(of pair: AssetPair) -> InstrumentID {
        InstrumentID(venue: Venue(rawValue: "index"), symbol: pair.description)
    }

    /// Another instance said a ticker.
    mutating func take(volume: String, of market: Int) {
        volumes[market] = try? DecimalNumber(parsing: volume)
    }

    /// The broker knows nothing any more.
    mutating func forget() { told.removeAll() }

    /// Says the indices that changed and are ours.
    mutating func publish(
        of markets: borrowing MarketSet, _ set: borrowing BookSet,
        _ instruments: [InstrumentID: Instrument], at now: Timestamp, into batch: inout OutboundBatch,
        isOwned: (InstrumentID) -> Bool
    ) {
        var known: [Int: Instrument] = [:]
        for index in markets.markets.indices {
            guard let instrument = instruments[markets.markets[index].id] else { continue }
            if set.find(instrument.id) != nil { known[index] = instrument }
        }
        board.define(known)
        for market in board.markets {
            guard let index = set.find(markets.markets[market].id) else { continue }
            let own = markets.markets[market].day?.statistics?.baseVolume
            let volume = own ?? volumes[market]
            board.update(market: market, IndexQuote(set[index].replica, volume: volume))
        }
        for value in board.evaluate(at: now) where isOwned(Self.name(of: value.pair)) {
            guard value != told[value.pair] else { continue }
            guard let topic = topic(of: value.pair) else { continue }
            told[value.pair] = value
            said &+= 1
            let names = value.constituents.map { markets.markets[$0.market].id }
            batch.append(.indexPrice(Bitpal_V1_IndexPrice(value, names, at: now)), to: topic)
        }
    }

    private mutating func topic(of pair: AssetPair) -> PublisherTopic? {
        if let known = topics[pair] { return known }
        // No topic is free above a bound that is far more than what is followed.
        let topic = try? publisher.topic(Topic.index(base: pair.base.rawValue, quote: pair.quote.rawValue))
        topics[pair] = topic
        return topic
    }
}

extension DayStatistics {
    /// The volume at as many places as fit; spot markets count in the base asset.
    fileprivate var baseVolume: DecimalNumber? {
        let exact = WideDecimal(units: Int256(volume), places: sizeScale.places)
        return exact.rounded(to: sizeScale) ?? exact.rounded(to: .zero)
    }
}

extension Bitpal_V1_IndexPrice {
    /// An index as it travels; the names are those of its constituents.
    init(_ value: IndexValue, _ names: [InstrumentID], at now: Timestamp) {
        self.init()
        pair = value.pair.description
        price = value.price?.description ?? ""
        switch value.unavailable {
        case nil: break
        case .tooFewMarkets(let found, let needed):
            unavailable = "\(found) of at least \(needed) markets can be believed"
        case .disagreement: unavailable = "the markets differ too much from one another"
        }
        constituents = zip(value.constituents, names).map { constituent, name in
            var message = Bitpal_V1_IndexConstituent()
            message.instrument = name.description
            message.price = constituent.price?.description ?? ""
            message.weight = constituent.weight?.description ?? ""
            message.exclusion = constituent.exclusion.map(Self.words) ?? ""
            return message
        }
        computedTimeUnixNanos = now.nanoseconds
    }

    private static func words(_ exclusion: IndexExclusion) -> String {
        switch exclusion {
        case .notLive(let state): "its book is \(state.name)"
        case .stale: "nothing was heard of it"
        case .noPrice: "it has no price"
        case .noVolume: "its volume is not known"
        case .noConversion(let pair): "there is no index \(pair)"
        case .outOfRange: "its price is out of range"
        case .outlier: "it differs too much from the others"
        }
    }
}
