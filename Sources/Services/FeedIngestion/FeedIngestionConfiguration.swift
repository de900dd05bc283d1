package import Instruments
package import Operations
package import Venues
package import Web

/// What a feed-ingestor connects to, what it stores, and its bounds.
///
/// | key | type | default | range |
/// |---|---|---|---|
/// | `venues` | list of venue names | bitmex, kraken, binance, binance-usdm | known venues |
/// | `<scope>.symbols` | list | see ``VenueSettings`` | the venue's spelling |
/// | `<scope>.channels` | list | book, trade, ticker, candle | also mark, derivative, liquidation |
/// | `<scope>.webSocketURL`, `<scope>.restURL` | text | the venue's public address | ws, wss; http, https |
/// | `<scope>.bookDepth` | integer | 1000 | 1...10000 |
/// | `<scope>.pin` | list | none | SHA-256 of keys that its servers may have, base64 |
/// | `<scope>.tickers` | flag | true; where the venue tells of all its markets | |
/// | `<scope>.<option>` | one of its words | its standard | such as `kraken.interface` |
/// | `producer` | text | feed-ingestor | 1...63 bytes |
/// | `leases.duration` | duration | 6s | 1 s...60 s |
/// | `store.enabled` | flag | true | |
/// | `store.batchTrades` | integer | 1000 | 1...10000 |
/// | `store.batchDelay` | duration | 100ms | 0...10 s |
/// | `store.maximumWaitingTrades` | integer | 65536 | 1000...10000000 |
/// | `database.directory` | text | none; that of `bitpal up` | of PostgreSQL's files, where that is here |
/// | `database.leastFreeMebibytes` | integer | 1024 | at most 1000000000; below it no trades are stored |
/// | `audit.interval` | duration | 300s | 10 s...1 day; books whose changes are numbered 12 times as rarely |
/// | `audit.venues` | list | all | known venues |
/// | `snapshot.everyDeltas` | integer | 10000 | 100...10000000 |
/// | `subscriptions.poll` | duration | 5s | 100 ms...1 h |
/// | `subscriptions.maximumPerVenue` | integer | 2500 | 1...20000; a venue's connections may take fewer |
///
/// A scope is that of a venue's description, such as `binanceUSDM`; which options a venue has of its own, its
/// description says as well.
package struct FeedIngestionConfiguration: Sendable {
    /// Every venue with its addresses and what is followed from the start.
    package var venues: [VenueConfiguration]
    /// Whether somebody said which they are; else they are the usual ones.
    package var areVenuesNamed = false
    /// Names of the publishers on the bus, before a hyphen and the venue, and before one and the instance;
    /// 1...63 bytes.
    package var producer = "feed-ingestor"
    /// How long a dead instance's venues stay its own; leases are tended four times as often.
    package var leaseDuration = Duration.seconds(6)
    /// Whether trades and instruments are written to PostgreSQL.
    package var isStoring = true
    /// Trades in one transaction at most.
    package var batchTrades = 1_000
    /// How long a trade may wait for more to be written with.
    package var batchDelay = Duration.milliseconds(100)
    /// Trades that may wait for PostgreSQL; past it the newest are refused and fetched again later.
    package var maximumWaitingTrades = 65_536
    /// How often each book of ``auditedVenues`` is compared with the venue's whole depth, as far as a quarter
    /// of what the venue may be asked is enough for that.
    ///
    /// A checksum is of the best levels alone: what lies deeper only an audit proves.
    package var auditInterval = Duration.seconds(300)
    /// How many times as rarely where the numbers of its changes prove a book.
    static let numberedAudits: Int64 = 12
    /// Venues whose books are compared.
    package var auditedVenues = Set(VenueCatalogue.standard.venues)
    /// Between the rounds of an audit, so that changes under way have arrived.
    var auditPause = Duration.milliseconds(500)
    /// Messages on a delta topic after which a fresh snapshot is published unasked.
    package var snapshotEveryDeltas = 10_000
    /// How often the table of subscriptions is read without having been told of a change.
    package var subscriptionPoll = Duration.seconds(5)
    /// Instruments followed on one venue at most; further ones are dropped and counted.
    ///
    /// What bounds them is memory: a book of 1,000 levels a side takes some 50 kB here, and as much in
    /// book-builder and in the broker.
    package var maximumPerVenue = 2_500
    /// Whether there is room for trades where PostgreSQL keeps its files; `nil` where nobody looks.
    package var room: DiskRoom?
    /// Which of the venues' servers are reached by way of a proxy.
    package var proxies = WebProxies()
    /// Where a private PostgreSQL listens, as told to readers in the service's status; empty for one of the
    /// operator's.
    package var privateDatabase = ""

    /// The default bounds with these venues.
    package init(venues: [VenueConfiguration]) { self.venues = venues }

    /// Reads what was configured.
    ///
    /// - Throws: `ConfigurationError` naming the key, the value and what is accepted.
    package init(settings: Settings) throws(ConfigurationError) {
        venues = []
        areVenuesNamed = settings.isSet(Self.venueNames)
        for name in settings[Self.venueNames] {
            guard let scope = VenueSettings.all.first(where: { $0.description.venue.rawValue == name }) else {
                throw settings.refusal(Self.venueNames, value: name, accepted: Self.knownVenues)
            }
            guard !venues.contains(where: { $0.venue == scope.description.venue }) else {
                throw settings.refusal(Self.venueNames, value: name, accepted: "each venue once")
            }
            let venue = try scope.configuration(settings)
            if let closure = venue.description.closure, venue.webSocketURL == venue.description.webSocketURL {
                throw settings.refusal(
                    Self.venueNames, value: name,
                    accepted: "venues that exist; \(closure.explanation(of: venue.venue))")
            }
            venues.append(venue)
        }
        for name in settings[Self.auditVenues] {
            guard VenueCatalogue.standard[Venue(rawValue: name)] != nil else {
                throw settings.refusal(Self.auditVenues, value: name, accepted: Self.knownVenues)
            }
        }
        auditedVenues = Set(settings[Self.auditVenues].map(Venue.init(rawValue:)))
        producer = settings[Self.producerName]
        guard (1...63).contains(producer.utf8.count) else {
            throw settings.refusal(Self.producerName, value: producer, accepted: "1 to 63 bytes")
        }
        leaseDuration = settings[Self.leases]
        isStoring = settings[Self.storeEnabled]
        batchTrades = settings[Self.storeBatchTrades]
        batchDelay = settings[Self.storeBatchDelay]
        maximumWaitingTrades = settings[Self.storeMaximumWaiting]
        room = DiskRoom.ofDatabase(settings)
        proxies = WebProxies(environment: ProcessEnvironment.current)
        auditInterval = settings[Self.auditEvery]
        snapshotEveryDeltas = settings[Self.snapshotEvery]
        subscriptionPoll = settings[Self.poll]
        maximumPerVenue = settings[Self.perVenue]
    }

    /// Every key that a feed-ingestor reads.
    package static let keys: [ConfigurationKey] =
        [
            venueNames.key, producerName.key, leases.key, storeEnabled.key, storeBatchTrades.key,
            storeBatchDelay.key,
            storeMaximumWaiting.key, auditEvery.key, auditVenues.key, snapshotEvery.key, poll.key,
            perVenue.key,
        ] + VenueSettings.all.flatMap(\.keys)

    private static let knownVenues = "any of \(VenueCatalogue.standard.list)"

    private static let venueNames = Setting.list(
        "venues",
        default: VenueCatalogue.standard.descriptions.filter(\.isUsual).map(\.venue.rawValue),
        "Venues to connect to.")
    private static let producerName = Setting.text(
        "producer", default: "feed-ingestor", "Name of the publishers on the bus, before what each is of.")
    private static let leases = Setting.duration(
        "leases.duration", default: .seconds(6), in: .seconds(1) ... .seconds(60),
        "How long a dead instance's venues stay its own.")
    private static let storeEnabled = Setting.flag(
        "store.enabled", default: true, "Whether trades and instruments are written to PostgreSQL.")
    private static let storeBatchTrades = Setting.integer(
        "store.batchTrades", default: 1_000, in: 1...10_000, "Trades in one transaction at most.")
    private static let storeBatchDelay = Setting.duration(
        "store.batchDelay", default: .milliseconds(100), in: .zero ... .seconds(10),
        "How long a trade may wait for more to be written with.")
    private static let storeMaximumWaiting = Setting.integer(
        "store.maximumWaitingTrades", default: 65_536, in: 1_000...10_000_000,
        "Trades that may wait for PostgreSQL; past it the newest are refused and fetched again later.")
    private static let auditEvery = Setting.duration(
        "audit.interval", default: .seconds(300), in: .seconds(10) ... .seconds(86_400),
        "How often each book is compared with the venue's whole depth; numbered ones 12 times as rarely.")
    private static let auditVenues = Setting.list(
        "audit.venues", default: VenueCatalogue.standard.venues.map(\.rawValue),
        "Venues whose books are compared.")
    private static let snapshotEvery = Setting.integer(
        "snapshot.everyDeltas", default: 10_000, in: 100...10_000_000,
        "Messages on a delta topic after which a snapshot is published unasked.")
    private static let poll = Setting.duration(
        "subscriptions.poll", default: .seconds(5), in: .milliseconds(100) ... .seconds(3_600),
        "How often the table of subscriptions is read without having been told of a change.")
    private static let perVenue = Setting.integer(
        "subscriptions.maximumPerVenue", default: 2_500, in: 1...20_000,
        "Instruments followed on one venue at most, as far as its connections take them.")
}
