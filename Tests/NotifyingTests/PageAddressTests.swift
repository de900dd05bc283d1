import Operations
import Testing

@testable import Notifying

@Suite("Where what is told leads")
struct PageAddressTests {
    @Test(
        "is the gateway's page where its address is given, else just what is given",
        arguments: [
            ("https://bitpal.example", "https://bitpal.example/alert", "https://bitpal.example/unsubscribe"),
            ("http://localhost:8080", "http://localhost:8080/alert", nil),
            ("https://other.example/a", "https://other.example/a", nil),
        ] as [(String, String, String?)])
    func page(given: String, page: String, unsubscribe: String?) throws {
        let settings = try Settings.load(
            service: "notifier", keys: NotifierConfiguration.keys,
            environment: ["BITPAL_NOTIFIER_PAGE_URL": given])
        let configuration = try NotifierConfiguration(settings: settings)
        #expect(configuration.page == page && configuration.signing.unsubscribePage == unsubscribe)
    }
}
