package import Operations

/// Whether and where names, categories and ranks of assets are read, and whether trending is computed.
///
/// | key | type | default | range |
/// |---|---|---|---|
/// | `metadata.address` | text | | an `http://` or `https://` address, or `none` to ask nobody |
/// | `metadata.pages` | integer | 8 | 1...40 pages of 250 coins |
/// | `metadata.categories` | flag | true | |
/// | `trending.enabled` | flag | true | |
package struct MetadataConfiguration: Sendable {
    /// The provider, such as `https://api.coingecko.com`; empty when nobody is asked.
    package var address = ""
    /// Pages of coins that are read, the greatest by market value first.
    package var pages = 8
    /// Whether categories are asked for: one request for each, spread over the day.
    package var wantsCategories = true
    /// Whether what moves most is computed from stored candles.
    package var wantsTrending = true

    /// Whether there is nothing to do.
    package var isIdle: Bool { address.isEmpty && !wantsTrending }

    package init() {}

    /// Reads what was configured.
    ///
    /// - Parameters:
    ///   - settings: Of the service that it runs in.
    ///   - provider: Whom to ask when nothing is configured; empty for nobody.
    /// - Throws: `ConfigurationError` naming the key, the value and what is accepted.
    package init(settings: Settings, provider: String = "") throws(ConfigurationError) {
        address = try Self.address(settings) ?? provider
        pages = settings[Self.pageCount]
        wantsCategories = settings[Self.categories]
        wantsTrending = settings[Self.trending]
    }

    private static func address(_ settings: Settings) throws(ConfigurationError) -> String? {
        guard var address = settings[provider], !address.isEmpty else { return nil }
        guard address != "none" else { return "" }
        while address.hasSuffix("/") { address.removeLast() }
        guard ["http://", "https://"].contains(where: { address.hasPrefix($0) && address != $0 }) else {
            throw settings.refusal(
                provider, value: address, accepted: "an address such as https://api.coingecko.com, or none")
        }
        return address
    }

    /// Every key that is read, beside those of the service that it runs in.
    package static let keys: [ConfigurationKey] = [
        provider.key, pageCount.key, categories.key, trending.key,
    ]

    private static let provider = Setting.optionalText(
        "metadata.address",
        "The provider of names and categories, such as https://api.coingecko.com; none asks nobody.")
    private static let pageCount = Setting.integer(
        "metadata.pages", default: 8, in: 1...40, "Pages of 250 coins that are read once a day.")
    private static let categories = Setting.flag(
        "metadata.categories", default: true, "Whether categories are asked for, spread over the day.")
    private static let trending = Setting.flag(
        "trending.enabled", default: true, "Whether what moves most is computed, hourly.")
}
