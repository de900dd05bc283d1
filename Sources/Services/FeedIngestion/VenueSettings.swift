import Instruments
import Operations
import Venues
import Web

/// The keys of one venue, all under its scope.
struct VenueSettings: Sendable {
    let description: VenueDescription
    private let symbols: Setting<[String]>
    private let channels: Setting<[String]>
    private let webSocketURL: Setting<String>
    private let restURL: Setting<String>
    private let bookDepth: Setting<Int>
    private let pins: Setting<[String]>
    /// `nil` where the venue does not tell of all its markets.
    private let tickers: Setting<Bool>?
    private let options: [(option: VenueOption, setting: Setting<String>)]

    /// Every venue that can be configured.
    static let all = VenueCatalogue.standard.descriptions.map(VenueSettings.init)

    private init(_ description: VenueDescription) {
        self.description = description
        let publicAddress = VenueConfiguration(description)
        func key(_ name: String) -> String { "\(description.scope).\(name)" }
        symbols = Setting.list(
            key("symbols"), default: description.usualSymbols,
            "Symbols in \(description.venue)'s spelling.")
        channels = Setting.list(
            key("channels"), default: VenueChannel.usual.map(\.rawValue),
            "Kinds of data, for all of the symbols.")
        webSocketURL = Setting.text(
            key("webSocketURL"), default: publicAddress.webSocketURL,
            "Address of the WebSocket interface, no path.")
        restURL = Setting.text(
            key("restURL"), default: publicAddress.restURL, "Address of the REST interface, no path.")
        bookDepth = Setting.integer(
            key("bookDepth"), default: publicAddress.bookDepth, in: 1...10_000,
            "Levels a side where the venue offers a choice.")
        pins = Setting.list(
            key("pin"), default: [],
            "SHA-256 of the keys that its servers may have (SubjectPublicKeyInfo), in base64; none for all."
        )
        tickers =
            description.tickers == nil
            ? nil
            : Setting.flag(
                key("tickers"), default: true,
                "Whether all of the venue's markets are priced, by its own tickers, followed or not.")
        options = description.options.map { option in
            (
                option,
                Setting.choice(key(option.name), of: option.words, default: option.standard, option.summary)
            )
        }
    }

    var keys: [ConfigurationKey] {
        [symbols.key, channels.key, webSocketURL.key, restURL.key, bookDepth.key, pins.key]
            + [tickers?.key].compactMap { $0 } + options.map(\.setting.key)
    }

    /// What was configured for the venue.
    func configuration(_ settings: Settings) throws(ConfigurationError) -> VenueConfiguration {
        var configuration = VenueConfiguration(description)
        configuration.webSocketURL = try address(webSocketURL, ["ws://", "wss://"], settings)
        configuration.restURL = try address(restURL, ["http://", "https://"], settings)
        configuration.bookDepth = settings[bookDepth]
        configuration.pins = settings[pins]
        if KeyPins(configuration.pins) == nil {
            throw settings.refusal(
                pins, value: configuration.pins.joined(separator: ","), accepted: "SHA-256 sums in base64")
        }
        if let tickers { configuration.pricesAllMarkets = settings[tickers] }
        for (option, setting) in options { configuration[option] = settings[setting] }
        var wanted: Set<VenueChannel> = []
        for name in settings[channels] {
            guard let channel = VenueChannel(rawValue: name) else {
                let accepted = VenueChannel.allCases.map(\.rawValue).joined(separator: ", ")
                throw settings.refusal(channels, value: name, accepted: "any of \(accepted)")
            }
            wanted.insert(channel)
        }
        for symbol in settings[symbols] {
            guard !symbol.isEmpty, symbol.utf8.count <= 100 else {
                throw settings.refusal(symbols, value: symbol, accepted: "symbols of 1 to 100 bytes")
            }
            configuration.subscriptions.append((symbol: symbol, channels: wanted))
        }
        return configuration
    }

    private func address(
        _ setting: Setting<String>, _ schemes: [String], _ settings: Settings
    ) throws(ConfigurationError) -> String {
        var text = settings[setting]
        guard schemes.contains(where: { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }) else {
            throw settings.refusal(
                setting, value: text, accepted: "an address that begins with \(schemes[0]) or \(schemes[1])")
        }
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }
}
