import Operations
import PortfolioStore
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

@Suite("Gateway configuration")
struct GatewayConfigurationTests {
    private static func read(_ variables: [String: String]) throws -> GatewayConfiguration {
        let environment = Dictionary(
            variables.map { ("BITPAL_GATEWAY_\($0.key)", $0.value) }
        ) { first, _ in first }
        return try GatewayConfiguration(
            settings: Settings.load(
                service: "gateway", keys: GatewayConfiguration.keys, environment: environment))
    }

    @Test("listens on loopback, where the market is public")
    func defaults() throws {
        let configuration = try Self.read([:]).server
        #expect("\(configuration.address)" == "127.0.0.1:8080" && configuration.marketIsPublic)
        #expect(try !Self.read(["PUBLIC_MARKET": "false"]).server.marketIsPublic)
    }

    @Test("listens elsewhere with TLS, or where somebody vouches for the network")
    func elsewhere() throws {
        let proxied = try Self.read([
            "ADDRESS": "0.0.0.0:8080", "BEHIND_PROXY": "true", "PROXIES": "10.0.0.5,172.16.0.0/12,fd00::/8",
        ]).server
        #expect(!proxied.marketIsPublic && proxied.proxies == ["10.0.0.5", "172.16.0.0/12", "fd00::/8"])
        let tls = try Self.read([
            "ADDRESS": "0.0.0.0:443", "TLS_CERTIFICATE": "cert.pem", "TLS_KEY": "key.pem",
        ]).server
        #expect(tls.tls == .init(certificate: "cert.pem", key: "key.pem"))
    }

    @Test("has the quotas and connections that its documentation names, unless it is said otherwise")
    func bounds() throws {
        let usual = try Self.read([:])
        let (portfolio, pools) = (usual.quotas.portfolio, usual.pools)
        #expect(portfolio == PortfolioLimits() && portfolio.transactions == 200_000)
        #expect(usual.quotas.tokens == 50 && usual.quotas.passkeys == 20)
        #expect(usual.quotas.disabledRules == 1_000)
        #expect(pools.connections == 8 && pools.slowConnections == 6)
        #expect(pools.longWork == 5 && pools.longWorkPerUser == 2)
        let set = try Self.read([
            "REVISIONS_PER_TRANSACTION": "7", "TAGS_PER_RULE": "0", "SLOW_CONNECTIONS": "3",
            "SLOW_READER_TIMEOUT": "5s",
        ])
        #expect(set.quotas.portfolio.revisions == 7 && set.quotas.ruleTags == 0)
        #expect(set.pools.longWork == 2 && set.pools.longWorkPerUser == 1)
        #expect(set.pools.readerTimeout == .seconds(5))
    }

    @Test(
        "refuses what cannot be meant",
        arguments: [
            (["ADDRESS": "0.0.0.0:8080"], "BITPAL_GATEWAY_BEHIND_PROXY"),
            (["ADDRESS": "192.168.1.2:8080"], "BITPAL_GATEWAY_ADDRESS"),
            (["TLS_KEY": "key.pem"], "tls.certificate"), (["TLS_CERTIFICATE": "cert.pem"], "tls.key"),
            (["PROXIES": "proxy.example"], "IP addresses"),
            (["BEHIND_PROXY": "true"], "BITPAL_GATEWAY_PROXIES"),
            (["PROXIES": "10.0.0.0/33"], "172.16.0.0/12"), (["PROXIES": "10.0.0.5,0.0.0.0/0"], "0.0.0.0/0"),
            (["PAGE_URL": "bitpal.example"], "https://HOST"),
            (["PAGE_URL": "https://bitpal.example/page"], "https://HOST"), (["PUBLIC_MARKET": "yes"], "auto"),
            (["SLOW_CONNECTIONS": "2"], "3...64"), (["PORTFOLIOS_PER_USER": "0"], "1...10000"),
        ])
    func refusals(variables: [String: String], text: String) {
        let error = #expect(throws: ConfigurationError.self) { try Self.read(variables) }
        #expect("\(String(describing: error))".contains(text))
    }
}
