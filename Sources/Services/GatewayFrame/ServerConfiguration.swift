import Glibc
package import Operations

/// How requests are served.
///
/// | key | type | default | range |
/// |---|---|---|---|
/// | `address` | address | 127.0.0.1:8080 | loopback, unless TLS or `behindProxy` |
/// | `behindProxy` | flag | false | true only with `proxies` |
/// | `proxies` | list | none | IP addresses and ranges, `172.16.0.0/12` |
/// | `tls.certificate` | text | none | a PEM file |
/// | `tls.key` | text | none | a PEM file |
/// | `publicMarket` | choice | auto | auto, true, false |
/// | `page.url` | text | none | where people find the page |
/// | `web.folder` | text | found | a folder with index.html |
/// | `connections.limit` | integer | 4096 | 16...100000 |
/// | `connections.perAddress` | integer | 256 | 1...100000; not of proxies |
/// | `idle.timeout` | duration | 60s | 1 s...1 h |
/// | `body.timeout` | duration | 20s | 100 ms...5 m |
/// | `requests.perMinute` | integer | 1200 | 1...1000000, of one address or token; a user has twice that |
package struct ServerConfiguration: Sendable {
    /// Where people and apps connect.
    package var address = NetworkAddress(host: "127.0.0.1", port: 8080)
    /// Whether the network in front is vouched for: a proxy does TLS.
    package var isBehindProxy = false
    /// Proxies whose word about a client's address is believed.
    package var proxies: TrustedProxies = []
    /// Certificate and key, as files in PEM.
    package var tls: TLSFiles?
    /// Whether market data needs no session.
    package var marketIsPublic = true
    /// Where people find the page, such as `https://bitpal.example`; for links, origins and passkeys.
    package var pageURL: String?
    /// Browsers reach it by TLS: its own, or that of a proxy in front.
    var isSecure: Bool { tls != nil || pageURL?.hasPrefix("https://") == true }
    /// The folder with index.html; `nil` looks beside the executable and above it.
    package var webFolder: String?
    /// Connections at once.
    package var connectionLimit = 4_096
    /// Connections at once from one address that is no proxy's.
    package var connectionsPerAddress = 256
    /// How long a connection may be silent.
    package var idleTimeout = Duration.seconds(60)
    /// How long a body may take in all.
    package var bodyTimeout = Duration.seconds(20)
    /// What one client's address or token may ask for.
    package var requestsPerMinute = 1_200

    /// Files of a certificate.
    package struct TLSFiles: Sendable, Hashable {
        /// The chain, our own certificate first.
        package var certificate: String
        package var key: String
    }

    package init() {}

    /// Reads what was configured.
    ///
    /// - Throws: `ConfigurationError` naming the key, the value and what is accepted.
    package init(settings: Settings) throws(ConfigurationError) {
        address = settings[Self.listen]
        isBehindProxy = settings[Self.behindProxy]
        for text in settings[Self.trusted] where !proxies.add(text) {
            throw settings.refusal(
                Self.trusted, value: text,
                accepted: "IP addresses, and ranges from their first address on, together of at most half "
                    + "of all addresses, such as 10.0.0.5 or 172.16.0.0/12")
        }
        guard !isBehindProxy || !proxies.isEmpty else {
            throw settings.refusal(
                Self.behindProxy, value: "true",
                accepted: "with \(settings.variable(for: Self.trusted)), the addresses of the proxy such as "
                    + "10.0.0.5 or 172.16.0.0/12, else all clients share one rate")
        }
        switch (settings[Self.certificate], settings[Self.key]) {
        case (nil, nil): break
        case (let certificate?, let key?): tls = TLSFiles(certificate: certificate, key: key)
        case (nil, let key?):
            throw settings.refusal(Self.key, value: key, accepted: "together with tls.certificate")
        case (let file?, nil):
            throw settings.refusal(Self.certificate, value: file, accepted: "together with tls.key")
        }
        guard address.isLoopback || tls != nil || isBehindProxy else {
            throw settings.refusal(
                Self.listen, value: "\(address)",
                accepted: "an address of loopback; any with tls.certificate and tls.key, or with "
                    + "\(settings.variable(for: Self.behindProxy))=true and "
                    + "\(settings.variable(for: Self.trusted)) where a proxy does TLS")
        }
        let market = settings[Self.publicMarket]
        marketIsPublic = market == "auto" ? address.isLoopback : market == "true"
        pageURL = settings[Self.page]
        if let pageURL, !Self.isOrigin(pageURL) {
            throw settings.refusal(Self.page, value: pageURL, accepted: "https://HOST or http://HOST:PORT")
        }
        webFolder = settings[Self.folder]
        connectionLimit = settings[Self.connections]
        connectionsPerAddress = settings[Self.perAddress]
        idleTimeout = settings[Self.idle]
        bodyTimeout = settings[Self.body]
        requestsPerMinute = settings[Self.requests]
    }

    /// Every key that is read here.
    package static let keys: [ConfigurationKey] = [
        listen.key, behindProxy.key, trusted.key, certificate.key, key.key, publicMarket.key, page.key,
        folder.key, connections.key, perAddress.key, idle.key, body.key, requests.key,
    ]

    /// The setting of the address, for messages.
    static let listen = Setting.address(
        "address", default: "127.0.0.1:8080", "Where people and apps connect.")
    private static let behindProxy = Setting.flag(
        "behindProxy", default: false, "Whether a proxy in front does TLS, so that any address may be used.")
    private static let trusted = Setting.list(
        "proxies", default: [],
        "IP addresses of proxies, and ranges of them, whose X-Forwarded-For is believed.")
    private static let certificate = Setting.optionalText(
        "tls.certificate", "A PEM file with the certificate and its chain.")
    private static let key = Setting.optionalText("tls.key", "A PEM file with the certificate's key.")
    private static let publicMarket = Setting.choice(
        "publicMarket", of: ["auto", "true", "false"], default: "auto",
        "Whether market data needs no session; auto: on loopback.")
    private static let page = Setting.optionalText(
        "page.url", "Where people find the page, such as https://bitpal.example.")
    private static let folder = Setting.optionalText(
        "web.folder", "The folder of the page's files, with index.html.")
    private static let connections = Setting.integer(
        "connections.limit", default: 4_096, in: 16...100_000, "Connections at once.")
    private static let perAddress = Setting.integer(
        "connections.perAddress", default: 256, in: 1...100_000,
        "Connections at once from one address; no bound for those in proxies.")
    private static let idle = Setting.duration(
        "idle.timeout", default: .seconds(60), in: .seconds(1) ... .seconds(3_600),
        "How long a connection may be silent.")
    private static let body = Setting.duration(
        "body.timeout", default: .seconds(20), in: .milliseconds(100) ... .seconds(300),
        "How long a request's body may take.")
    private static let requests = Setting.integer(
        "requests.perMinute", default: 1_200, in: 1...1_000_000_000,
        "Weight of requests by one client's address or token a minute; a user has twice that.")

    static func isIPAddress(_ text: String) -> Bool {
        var bytes = in6_addr()
        return inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1
    }

    private static func isOrigin(_ text: String) -> Bool {
        for scheme in ["https://", "http://"] where text.hasPrefix(scheme) {
            let host = text.dropFirst(scheme.count)
            return !host.isEmpty && !host.contains { $0 == "/" || $0 == "?" || $0 == "#" || $0.isWhitespace }
        }
        return false
    }
}
