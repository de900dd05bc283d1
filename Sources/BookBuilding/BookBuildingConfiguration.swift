public import Operations

/// What a book-builder publishes and stores.
///
/// | key | type | default | range |
/// |---|---|---|---|
/// | `producer` | text | book-builder | 1...127 bytes |
/// | `snapshot.interval` | duration | 1s | 100 ms...1 h |
/// | `store.enabled` | flag | true | |
/// | `store.maximumWaitingLevels` | integer | 2000000 | 10000...1000000000 |
/// | `books.maximum` | integer | 10000 | 1...200000 |
public struct BookBuildingConfiguration: Sendable {
    /// Name of the publisher on the bus; 1...127 bytes.
    public var producer = "book-builder"
    /// How often the whole of a book that changes is published at most.
    public var snapshotInterval = Duration.seconds(1)
    /// Whether the last book of each minute is written to PostgreSQL.
    public var isStoring = true
    /// Levels of books that may wait for PostgreSQL, 16 bytes each; past it the oldest books are dropped.
    public var maximumWaitingLevels = 2_000_000
    /// Books that are followed; messages of further instruments are refused and counted.
    public var maximumBooks = 10_000

    /// The defaults.
    public init() {}

    /// Reads what was configured.
    ///
    /// - Throws: `ConfigurationError` naming the key, the value and what is accepted.
    public init(settings: Settings) throws(ConfigurationError) {
        producer = settings[Self.producerName]
        guard (1...127).contains(producer.utf8.count) else {
            throw settings.refusal(Self.producerName, value: producer, accepted: "1 to 127 bytes")
        }
        snapshotInterval = settings[Self.interval]
        isStoring = settings[Self.storeEnabled]
        maximumWaitingLevels = settings[Self.waitingLevels]
        maximumBooks = settings[Self.books]
    }

    /// Every key that a book-builder reads.
    public static let keys: [ConfigurationKey] = [
        producerName.key, interval.key, storeEnabled.key, waitingLevels.key, books.key,
    ]

    private static let producerName = Setting.text(
        "producer", default: "book-builder", "Name of the publisher on the bus.")
    private static let interval = Setting.duration(
        "snapshot.interval", default: .seconds(1), in: .milliseconds(100) ... .seconds(3_600),
        "How often the whole of a book that changes is published at most.")
    private static let storeEnabled = Setting.flag(
        "store.enabled", default: true, "Whether the last book of each minute is written to PostgreSQL.")
    private static let waitingLevels = Setting.integer(
        "store.maximumWaitingLevels", default: 2_000_000, in: 10_000...1_000_000_000,
        "Levels of books that may wait for PostgreSQL; past it the oldest books are dropped.")
    private static let books = Setting.integer(
        "books.maximum", default: 10_000, in: 1...200_000, "Books that are followed.")
}
