package import Instruments

/// The venues that Bitpal speaks to, by their descriptions.
package struct VenueCatalogue: Sendable {
    /// A line a venue, in the order of their settings.
    package static let standard = VenueCatalogue([
        BitMEX.description,
        Kraken.description,
        Binance.spot,
        Binance.us,
        Binance.usdm,
        KrakenFutures.description,
        Gateio.spot,
        Gateio.futures,
        Poloniex.description,
        Coinbase.description,
        Gemini.description,
        Bitstamp.description,
        Binance.coinm,
        Bitfinex.description,
        Huobi.description,
        Upbit.description,
        CryptoCom.description,
        Hyperliquid.description,
        OKX.description,
        OKX.okcoin,
        Bitget.description,
        Bybit.spot,
        Bybit.linear,
        Bybit.inverse,
        KuCoin.description,
        Deribit.description,
    ])

    /// In the order in which settings are listed.
    package let descriptions: [VenueDescription]
    /// Every venue, sorted by name.
    package let venues: [Venue]
    private let byVenue: [Venue: VenueDescription]

    /// A catalogue of these.
    ///
    /// - Precondition: There is one, each name is used once, each has a usual symbol, and none is usual that
    ///   has closed.
    package init(_ descriptions: [VenueDescription]) {
        precondition(!descriptions.isEmpty, "a catalogue without a venue")
        precondition(
            descriptions.allSatisfy { !$0.usualSymbols.isEmpty }, "a venue without a usual symbol")
        precondition(
            descriptions.allSatisfy { !$0.isUsual || $0.closure == nil }, "a usual venue that has closed")
        self.descriptions = descriptions
        venues = descriptions.map(\.venue).sorted()
        byVenue = Dictionary(uniqueKeysWithValues: descriptions.map { ($0.venue, $0) })
    }

    /// Names that recordings have of venues, by which they are not known otherwise.
    private static let aliases: [String: String] = [
        "binance-delivery": "binance-coinm",
        "coinbase-advanced": "coinbase",
        "coinbase-pro": "coinbase",
        "gate": "gateio",
        "htx": "huobi",
        "okex": "okx",
    ]

    /// The venue that a recording means by a name; the same where it is no other name of one.
    package func venue(recordedAs name: Venue) -> Venue {
        guard byVenue[name] == nil, let known = Self.aliases[name.rawValue] else { return name }
        return Venue(rawValue: known)
    }

    /// What is known of a venue; `nil` for one that is not described.
    package subscript(_ venue: Venue) -> VenueDescription? { byVenue[venue] }

    /// What is known of a venue.
    ///
    /// - Throws: ``UnknownVenue``, which names those that are known.
    package func description(of venue: Venue) throws(UnknownVenue) -> VenueDescription {
        guard let description = byVenue[venue] else { throw UnknownVenue(venue: venue, known: venues) }
        return description
    }

    /// The names, sorted and joined by commas.
    package var list: String { venues.map(\.rawValue).joined(separator: ", ") }

    /// Those whose mark prices are read.
    package var markPriceVenues: Set<Venue> { Set(descriptions.filter(\.saysMarkPrices).map(\.venue)) }

    /// Of whose derivatives figures are read.
    package var saidFigures: SaidFigures {
        SaidFigures(
            markPrices: markPriceVenues, funding: venues(saying: .funding),
            openInterest: venues(saying: .openInterest))
    }

    private func venues(saying figure: DerivativeFigure) -> Set<Venue> {
        Set(descriptions.filter { $0.derivatives.contains(figure) }.map(\.venue))
    }

    /// What is shown where nobody names an instrument: of the first venue that exists.
    package var firstInstrument: InstrumentID {
        let first = descriptions.first { $0.closure == nil } ?? descriptions[0]
        return InstrumentID(venue: first.venue, symbol: first.usualSymbols[0])
    }
}

/// A venue that no description is known of.
package struct UnknownVenue: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name that was given.
    package let venue: Venue
    package let known: [Venue]

    /// One line for a person.
    package var description: String {
        "unknown venue \"\(venue)\"; known are \(known.map(\.rawValue).joined(separator: ", "))"
    }
}
