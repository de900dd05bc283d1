package import MarketStore
package import Operations

/// What a book-builder publishes and stores.
///
/// | key | type | default | range |
/// |---|---|---|---|
/// | `producer` | text | book-builder | 1...63 bytes |
/// | `snapshot.interval` | duration | 1s | 100 ms...1 h |
/// | `store.enabled` | flag | true | |
/// | `store.maximumWaitingLevels` | integer | 2000000 | 10000...1000000000 |
/// | `store.maximumWaitingCandles` | integer | 200000 | 1000...100000000 |
/// | `trades.maximumPending` | integer | 20000 | 100...1000000 |
/// | `leases.duration` | duration | 8s | 1 s...60 s |
/// | `books.maximum` | integer | 10000 | 1...200000 |
/// | `retention.trades` | text | 7d | 1d...36500d, or `forever` |
/// | `retention.candles.1s`, `.1m`, … `.1w` | text | 2d, 366d, forever | 1d...36500d, or `forever` |
/// | `backfill.enabled` | flag | true | |
/// | `backfill.history` | flag | false | days and hours of a year, minutes of a week |
/// | `backfill.restURL` | text | each venue's public address | http, https; /VENUE is appended |
/// | `database.leastFreeMebibytes` | integer | 1024 | at most 1000000000; below it none are stored |
/// | `database.directory` | text | none | where PostgreSQL keeps its files |
package struct BookBuildingConfiguration: Sendable {
    /// Name of the publisher on the bus, before a hyphen and the instance; 1...63 bytes.
    package var producer = "book-builder"
    /// How often the whole of a book that changes is published at most.
    package var snapshotInterval = Duration.seconds(1)
    /// Whether the last book of each minute and all candles are written to PostgreSQL, and trades read there.
    package var isStoring = true
    /// Levels of books that may wait for PostgreSQL, 16 bytes each; past it the oldest books are dropped.
    package var maximumWaitingLevels = 2_000_000
    /// Closed candles that may wait for PostgreSQL; past it the oldest are let go and made again from trades.
    package var maximumWaitingCandles = 200_000
    /// Live trades of one instrument that may wait until the feed says that they are stored; past it they are
    /// let go and read from PostgreSQL.
    package var maximumPendingTrades = 20_000
    /// How long a dead instance's instruments stay its own; leases are tended four times as often.
    package var leaseDuration = Duration.seconds(8)
    /// Books that are followed; messages of further instruments are refused and counted.
    package var maximumBooks = 10_000
    /// How long trades and candles are kept, counted back from a venue's newest.
    package var retention = RetentionPolicy.standard

    /// Whether candles that trades are missing of are asked for at their venue; only where books are stored.
    package var isBackfilling = true
    /// Whether the past of what is followed is fetched from its venues; only where candles are stored.
    package var fillsHistory = false
    /// Where venues are asked, before a slash and the venue's name, as the venue-simulator serves them;
    /// `nil` for the public address of each.
    package var backfillURL: String?
    /// Whether there is room for them where PostgreSQL keeps its files; `nil` where nobody looks.
    package var room: DiskRoom?

    package init() {}

    /// Reads what was configured.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - standard: Whether the past is fetched where nothing is said of it.
    /// - Throws: `ConfigurationError` naming the key, the value and what is accepted.
    package init(settings: Settings, fillsHistory standard: Bool = false) throws(ConfigurationError) {
        producer = settings[Self.producerName]
        guard (1...63).contains(producer.utf8.count) else {
            throw settings.refusal(Self.producerName, value: producer, accepted: "1 to 63 bytes")
        }
        snapshotInterval = settings[Self.interval]
        isStoring = settings[Self.storeEnabled]
        maximumWaitingLevels = settings[Self.waitingLevels]
        maximumWaitingCandles = settings[Self.waitingCandles]
        maximumPendingTrades = settings[Self.pendingTrades]
        leaseDuration = settings[Self.leases]
        maximumBooks = settings[Self.books]
        retention = try RetentionSettings.policy(settings)
        isBackfilling = settings[Self.backfill]
        fillsHistory = settings[Self.history(standard)]
        room = DiskRoom.ofDatabase(settings)
        guard var url = settings[Self.restURL] else { return }
        while url.hasSuffix("/") { url.removeLast() }
        guard ["http://", "https://"].contains(where: { url.hasPrefix($0) && url != $0 }) else {
            throw settings.refusal(
                Self.restURL, value: url, accepted: "an address that begins with http:// or https://")
        }
        backfillURL = url
    }

    /// Every key that a book-builder reads.
    package static let keys: [ConfigurationKey] =
        [
            producerName.key, interval.key, storeEnabled.key, waitingLevels.key, waitingCandles.key,
            pendingTrades.key, leases.key, books.key, backfill.key, history(false).key,
            restURL.key,
        ] + RetentionSettings.all.map(\.setting.key)

    private static let producerName = Setting.text(
        "producer", default: "book-builder", "Name of the publisher on the bus, before the instance.")
    private static let interval = Setting.duration(
        "snapshot.interval", default: .seconds(1), in: .milliseconds(100) ... .seconds(3_600),
        "How often the whole of a book that changes is published at most.")
    private static let storeEnabled = Setting.flag(
        "store.enabled", default: true,
        "Whether the last book of each minute and all candles are written to PostgreSQL.")
    private static let waitingLevels = Setting.integer(
        "store.maximumWaitingLevels", default: 2_000_000, in: 10_000...1_000_000_000,
        "Levels of books that may wait for PostgreSQL; past it the oldest books are dropped.")
    private static let waitingCandles = Setting.integer(
        "store.maximumWaitingCandles", default: 200_000, in: 1_000...100_000_000,
        "Closed candles that may wait for PostgreSQL; past it the oldest are made again from trades.")
    private static let pendingTrades = Setting.integer(
        "trades.maximumPending", default: 20_000, in: 100...1_000_000,
        "Live trades of one instrument that may wait until they are known to be stored.")
    private static let leases = Setting.duration(
        "leases.duration", default: .seconds(8), in: .seconds(1) ... .seconds(60),
        "How long a dead instance's instruments stay its own.")
    private static let books = Setting.integer(
        "books.maximum", default: 10_000, in: 1...200_000, "Books that are followed.")
    private static func history(_ standard: Bool) -> Setting<Bool> {
        .flag(
            "backfill.history", default: standard,
            "Whether days and hours of a year and minutes of a week are fetched of what is followed.")
    }
    private static let backfill = Setting.flag(
        "backfill.enabled", default: true,
        "Whether candles that trades are missing of are asked for at their venue.")
    private static let restURL = Setting.optionalText(
        "backfill.restURL", "Where venues are asked, as the simulator serves them: /VENUE is appended.")
}
