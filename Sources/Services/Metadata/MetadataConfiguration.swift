import Instruments
package import Operations
package import Providers

/// Whether and where names, categories and ranks of assets are read, and whether trending is computed.
///
/// | key | type | default | range |
/// |---|---|---|---|
/// | `metadata.address` | text | | an `http://` or `https://` address, or `none` to ask nobody |
/// | `metadata.pages` | integer | 8 | 1...40 pages of 250 coins |
/// | `metadata.categories` | flag | true | |
/// | `metadata.prices` | flag | true | |
/// | `metadata.perMinute` | integer | 10 | 1...60 requests to each provider |
/// | `providers.order` | list | all, CoinGecko first | names of providers, each once |
/// | `providers.coingecko.key` | text | | a demo key; it answers without, too |
/// | `providers.coindesk.key` | text | | without one it is not asked |
/// | `providers.cryptocompare.key` | text | | without one it is not asked |
/// | `trending.enabled` | flag | true | |
package struct MetadataConfiguration: Sendable {
    /// The provider, such as `https://api.coingecko.com`; empty when nobody is asked.
    package var address = ""
    /// Pages of coins that are read, the greatest by market value first.
    package var pages = 8
    /// Whether categories are asked for: one request for each, spread over the day.
    package var wantsCategories = true
    /// Aggregated providers of prices, the most preferred first; empty when none is asked.
    package var prices: [ProviderUse] = []
    /// The key for the list of coins; `nil` for none.
    package var listKey: String?
    /// Whether what moves most is computed from stored candles.
    package var wantsTrending = true

    /// Whether there is nothing to do.
    package var isIdle: Bool { address.isEmpty && !wantsTrending && prices.isEmpty }

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
        listKey = settings[Self.geckoKey]
        prices = settings[Self.wantsPrices] && !address.isEmpty ? try Self.uses(settings, address) : []
    }

    /// Those that would answer, in the order of preference.
    private static func uses(
        _ settings: Settings, _ address: String
    ) throws(ConfigurationError) -> [ProviderUse] {
        let keys = [
            "coingecko": settings[geckoKey], "coindesk": settings[deskKey],
            "cryptocompare": settings[compareKey],
        ]
        var uses: [ProviderUse] = []
        for name in settings[order] {
            guard let provider = ProviderCatalogue.standard.first(where: { $0.venue.rawValue == name }),
                !uses.contains(where: { $0.provider.venue == provider.venue })
            else {
                throw settings.refusal(
                    order, value: name, accepted: "\(ProviderCatalogue.list), each once")
            }
            var use = ProviderUse(provider, key: keys[name]?.flatMap { $0.isEmpty ? nil : $0 })
            use.perMinute = settings[perMinute]
            // Who stands in for the list stands in for its prices, and nobody outside is asked then.
            if provider.venue == CoinGecko.description.venue { use.address = address }
            if use.isUsable { uses.append(use) }
        }
        guard address == MarketsPage.publicAddress else {
            return uses.filter { $0.provider.venue == CoinGecko.description.venue }
        }
        return uses
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
        provider.key, pageCount.key, categories.key, wantsPrices.key, perMinute.key, order.key,
        geckoKey.key, deskKey.key, compareKey.key, trending.key,
    ]

    private static let provider = Setting.optionalText(
        "metadata.address",
        "The provider of names and categories, such as https://api.coingecko.com; none asks nobody.")
    private static let pageCount = Setting.integer(
        "metadata.pages", default: 8, in: 1...40, "Pages of 250 coins that are read once a day.")
    private static let categories = Setting.flag(
        "metadata.categories", default: true, "Whether categories are asked for, spread over the day.")
    private static let wantsPrices = Setting.flag(
        "metadata.prices", default: true, "Whether coins that no venue trades are priced by providers.")
    private static let perMinute = Setting.integer(
        "metadata.perMinute", default: 10, in: 1...60, "Requests of a minute to each provider of prices.")
    private static let order = Setting.list(
        "providers.order", default: ProviderCatalogue.standard.map(\.venue.rawValue),
        "Aggregated providers of prices, the most preferred first.")
    private static let geckoKey = Setting.optionalText(
        "providers.coingecko.key", isSecret: true, "A key of CoinGecko; it answers without one, too.")
    private static let deskKey = Setting.optionalText(
        "providers.coindesk.key", isSecret: true, "A key of CoinDesk Data; it is not asked without.")
    private static let compareKey = Setting.optionalText(
        "providers.cryptocompare.key", isSecret: true, "A key of CryptoCompare; it is not asked without.")
    private static let trending = Setting.flag(
        "trending.enabled", default: true, "Whether what moves most is computed, hourly.")
}
