package import Operations
import Web

/// What the gateway knows of the demo.
///
/// | key | type | default | range |
/// |---|---|---|---|
/// | `demo.restURL` | text | none: it is no demo | http, https; /VENUE is appended |
package struct DemoConfiguration: Sendable {
    /// Where the simulator serves its venues; `nil` where the market is no demo's.
    package var restURL: String?
    /// The body of an answer there; one that has no such market answers, too.
    var get: @Sendable (String) async throws -> [UInt8] = { try await HTTPClient().get($0).body }

    package init() {}

    /// Reads what was configured.
    ///
    /// - Throws: `ConfigurationError` naming the key, the value and what is accepted.
    package init(settings: Settings) throws(ConfigurationError) {
        guard var url = settings[Self.setting], !url.isEmpty else { return }
        while url.hasSuffix("/") { url.removeLast() }
        guard ["http://", "https://"].contains(where: { url.hasPrefix($0) && url != $0 }) else {
            throw settings.refusal(
                Self.setting, value: url, accepted: "an address that begins with http:// or https://")
        }
        restURL = url
    }

    static let keys: [ConfigurationKey] = [setting.key]

    private static let setting = Setting.optionalText(
        "demo.restURL",
        "Where the venue-simulator serves its venues: it is a demo, and whoever asks gets a sample.")
}
