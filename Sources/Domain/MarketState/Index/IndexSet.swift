public import Instruments
import MarketData

/// One index and its markets.
public struct IndexDefinition: Hashable, Sendable {
    /// A market whose prices the index is made of.
    public struct Market: Hashable, Sendable {
        /// The caller's dense number of the market, from 0; a table has room for the highest.
        public var number: Int
        /// What its prices are in.
        public var quote: Asset

        public init(number: Int, quote: Asset) {
            precondition(number >= 0, "a market's number is not negative")
            self.number = number
            self.quote = quote
        }
    }

    /// What is priced, in what.
    public var pair: AssetPair
    /// Where it trades.
    public var markets: [Market]

    public init(pair: AssetPair, markets: [Market]) {
        self.pair = pair
        self.markets = markets
    }
}

/// Why indices cannot be computed together.
public enum IndexError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A pair has two definitions.
    case definedTwice(AssetPair)
    /// A market's quote asset cannot be converted, because that pair has no index.
    case missingConversion(of: AssetPair, needs: AssetPair)
    /// Indices convert one another in a circle; the last needs the first.
    case cycle([AssetPair])

    /// One line for a person.
    public var description: String {
        switch self {
        case .definedTwice(let pair): "the index \(pair) is defined twice"
        case .missingConversion(let pair, let needed):
            "the index \(pair) has markets that need the index \(needed), which is not defined"
        case .cycle(let pairs):
            "indices need one another in a circle: \(pairs.map(\.description).joined(separator: " needs "))"
        }
    }
}

/// All indices with the newest word of their markets, in an order in which conversions come first.
public struct IndexSet: Sendable {
    private let configuration: IndexConfiguration
    private let definitions: [IndexDefinition]
    /// By the markets' numbers; one that said nothing yet has no price.
    private var quotes: [IndexQuote]

    /// Puts the definitions in order.
    ///
    /// A market whose quote asset is not that of its index needs the index of the one in the other.
    ///
    /// - Throws: ``IndexError``.
    public init(
        _ definitions: [IndexDefinition], _ configuration: IndexConfiguration = IndexConfiguration()
    ) throws(IndexError) {
        var order = IndexOrder()
        for definition in definitions.sorted(by: { $0.pair < $1.pair }) {
            if order.definitions.updateValue(definition, forKey: definition.pair) != nil {
                throw .definedTwice(definition.pair)
            }
        }
        for pair in order.definitions.keys.sorted() { try order.visit(pair) }
        self.configuration = configuration
        self.definitions = order.sorted
        let highest = definitions.flatMap(\.markets).map(\.number).max() ?? -1
        let silent = IndexQuote(price: nil, volume: nil, state: .syncing, receivedTime: .zero)
        quotes = [IndexQuote](repeating: silent, count: highest + 1)
    }

    /// The pairs, each after those that it needs.
    public var pairs: [AssetPair] { definitions.map(\.pair) }

    /// Takes the newest word of a market; one that no index has is let be.
    public mutating func update(market: Int, _ quote: IndexQuote) {
        if quotes.indices.contains(market) { quotes[market] = quote }
    }

    /// The values of all indices at an instant by the clock of the received times, each after those that it
    /// needs.
    public func evaluate(at now: Timestamp) -> [IndexValue] {
        var prices: [AssetPair: DecimalNumber] = [:]
        return definitions.map { definition in
            let candidates = definition.markets.map { market in
                let conversion = IndexOrder.conversion(of: market, in: definition.pair)
                return IndexPrice.Candidate(
                    market: market.number, quote: quotes[market.number], conversion: conversion,
                    rate: conversion.flatMap { prices[$0] })
            }
            let value = IndexPrice.compute(definition.pair, candidates, at: now, configuration)
            prices[definition.pair] = value.price
            return value
        }
    }
}

/// Sorts indices by what they need, depth first.
private struct IndexOrder {
    var definitions: [AssetPair: IndexDefinition] = [:]
    private(set) var sorted: [IndexDefinition] = []
    private var done: Set<AssetPair> = []
    private var path: [AssetPair] = []

    static func conversion(of market: IndexDefinition.Market, in pair: AssetPair) -> AssetPair? {
        market.quote == pair.quote ? nil : AssetPair(base: market.quote, quote: pair.quote)
    }

    mutating func visit(_ pair: AssetPair) throws(IndexError) {
        if done.contains(pair) { return }
        if let start = path.firstIndex(of: pair) { throw .cycle(Array(path[start...]) + [pair]) }
        guard let definition = definitions[pair] else {
            throw .missingConversion(of: path.last ?? pair, needs: pair)
        }
        path.append(pair)
        let needed = Set(definition.markets.compactMap { IndexOrder.conversion(of: $0, in: pair) })
        for other in needed.sorted() { try visit(other) }
        path.removeLast()
        done.insert(pair)
        sorted.append(definition)
    }
}
