import Instruments
import Recordings
import Venues

/// The venues that can be simulated.
enum DialectCatalogue {
    /// A line a venue, in the order in which the synthetic market plays them.
    static let all: [DialectDescription] = [
        BitMEXDialect.description,
        KrakenDialects.description,
        BinanceDialect.spot,
        BinanceDialect.us,
        BinanceDialect.usdm,
        BinanceDialect.coinm,
        OKXDialect.okx,
        OKXDialect.okcoin,
        BybitDialect.spot,
        BybitDialect.linear,
        BybitDialect.inverse,
        BitgetDialect.described,
        DeribitDialect.described,
        CoinbaseExchangeDialect.described,
        GeminiDialect.described,
        BitstampDialect.described,
        CryptoComDialect.described,
        KuCoinDialect.known,
        GateioDialect.spot,
        GateioDialect.futures,
        BitfinexDialect.known,
        KrakenFuturesDialect.known,
        PoloniexDialect.known,
        HuobiDialect.known,
        UpbitDialect.known,
        HyperliquidDialect.known,
    ]

    /// What is known of a venue's dialect; `nil` for one that cannot be simulated.
    static func dialect(of venue: Venue) -> DialectDescription? { all.first { $0.venue == venue } }
}

/// What the simulator is to know of a venue.
struct DialectDescription: Sendable {
    let description: VenueDescription
    /// The dialect of a recording, from the first entry that tells; `nil` as long as none does.
    ///
    /// Asked once without an entry, for a venue that has only one, and then with each until there is an
    /// answer.
    let recognize: @Sendable (RecordingFrame?) -> (any Dialect)?
    /// Its part of the synthetic market; `nil` for a venue that is not in it.
    var synthetic: SyntheticVenue?

    /// The venue's name.
    var venue: Venue { description.venue }
}
