/// Which of Kraken's public WebSocket interfaces to speak.
public enum KrakenInterface: String, Sendable, Hashable, CaseIterable {
    /// Arrays, ws.kraken.com.
    case v1
    /// Objects, ws.kraken.com/v2.
    case v2

    package static let option = VenueOption(
        name: "interface", words: allCases.map(\.rawValue), standard: v2.rawValue,
        summary: "Which of Kraken's public interfaces is spoken.")
}

extension VenueConfiguration {
    /// Kraken's interface; of no meaning elsewhere.
    public var krakenInterface: KrakenInterface {
        get { self[KrakenInterface.option].flatMap { KrakenInterface(rawValue: $0) } ?? .v2 }
        set { self[KrakenInterface.option] = newValue.rawValue }
    }
}
