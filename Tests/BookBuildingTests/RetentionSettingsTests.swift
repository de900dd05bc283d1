import MarketState
import MarketStore
import Operations
import Testing

@testable import BookBuilding

@Suite("How long rows are kept, as configured")
struct RetentionSettingsTests {
    private func policy(_ environment: [String: String]) throws -> RetentionPolicy {
        let settings = try Settings.load(
            service: "book-builder", keys: BookBuildingConfiguration.keys, environment: environment)
        return try BookBuildingConfiguration(settings: settings).retention
    }

    @Test("is the standard unless something is said of a kind")
    func kinds() throws {
        #expect(try policy([:]) == .standard)
        let own = try policy([
            "BITPAL_BOOK_BUILDER_RETENTION_TRADES": "30d",
            "BITPAL_BOOK_BUILDER_RETENTION_CANDLES_1M": "forever",
            "BITPAL_BOOK_BUILDER_RETENTION_CANDLES_1H": "400d",
        ])
        #expect(own[.trades] == .seconds(30 * 86_400) && own[.candles(.minute)] == nil)
        #expect(own[.candles(.hour)] == .seconds(400 * 86_400))
        #expect(own[.candles(.second)] == .seconds(2 * 86_400))
    }

    @Test("is refused when it makes no sense", arguments: ["0d", "7", "12h", "-1d", "40000d", "ever"])
    func refusal(_ text: String) {
        #expect(throws: ConfigurationError.self) {
            try policy(["BITPAL_BOOK_BUILDER_RETENTION_TRADES": text])
        }
    }
}
