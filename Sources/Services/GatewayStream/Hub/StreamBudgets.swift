package import Operations

/// How much of what all clients share one of them may have: one address that names no user, of IPv6 its
/// network of 64 bits, and one user, from wherever.
///
/// | key | type | default | range |
/// |---|---|---|---|
/// | `streams.perAddress` | integer | 256 | 1...100000, and at most half of `connections.limit` |
/// | `streams.perUser` | integer | 200 | 1...100000 |
/// | `subscriptions.perAddress` | integer | 2000 | 1...1000000, of all its streams |
/// | `subscriptions.perUser` | integer | 2000 | 1...1000000 |
/// | `tapes.perAddress` | integer | 128 | 1...1536, its subscriptions to trades and candles |
/// | `tapes.perUser` | integer | 128 | 1...1536 |
/// | `books.perAddress` | integer | 16 | 1...64, whole ones that it asked for in five minutes |
/// | `books.perUser` | integer | 16 | 1...64 |
package struct StreamBudgets: Sendable {
    /// What one may have of something.
    package struct Share: Sendable {
        package var perAddress: Int
        package var perUser: Int
    }

    /// Live connections: WebSockets and streams of events.
    package var streams = Share(perAddress: 256, perUser: 200)
    /// Subscriptions of all of them.
    package var subscriptions = Share(perAddress: 2_000, perUser: 2_000)
    /// Those of them for which something is followed on the bus: trades and candles.
    package var tapes = Share(perAddress: 128, perUser: 128)
    /// Whole books that are followed because it asked for them.
    package var books = Share(perAddress: 16, perUser: 16)

    package init() {}

    /// Reads what was configured.
    package init(settings: Settings) {
        streams = Self.share(Self.streamKeys, settings)
        subscriptions = Self.share(Self.subscriptionKeys, settings)
        tapes = Self.share(Self.tapeKeys, settings)
        books = Self.share(Self.bookKeys, settings)
    }

    /// Every key that is read here.
    package static let keys: [ConfigurationKey] =
        [streamKeys, subscriptionKeys, tapeKeys, bookKeys].flatMap { [$0.address.key, $0.user.key] }

    private typealias Keys = (address: Setting<Int>, user: Setting<Int>)

    private static func share(_ keys: Keys, _ settings: Settings) -> Share {
        Share(perAddress: settings[keys.address], perUser: settings[keys.user])
    }

    private static let streamKeys: Keys = (
        Setting.integer(
            "streams.perAddress", default: 256, in: 1...100_000, "Live connections of one address at once."),
        Setting.integer(
            "streams.perUser", default: 200, in: 1...100_000, "Live connections of one user at once.")
    )
    private static let subscriptionKeys: Keys = (
        Setting.integer(
            "subscriptions.perAddress", default: 2_000, in: 1...1_000_000,
            "Subscriptions of one address at once, of all its live connections."),
        Setting.integer(
            "subscriptions.perUser", default: 2_000, in: 1...1_000_000,
            "Subscriptions of one user at once, of all live connections.")
    )
    private static let tapeKeys: Keys = (
        Setting.integer(
            "tapes.perAddress", default: 128, in: 1...1_536,
            "Subscriptions to trades and candles of one address at once."),
        Setting.integer(
            "tapes.perUser", default: 128, in: 1...1_536,
            "Subscriptions to trades and candles of one user at once.")
    )
    private static let bookKeys: Keys = (
        Setting.integer(
            "books.perAddress", default: 16, in: 1...64,
            "Whole books that are followed for one address at once."),
        Setting.integer(
            "books.perUser", default: 16, in: 1...64, "Whole books that are followed for one user at once.")
    )
}
