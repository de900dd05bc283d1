/// The limits of an ``HTTPClient``.
package struct HTTPClientConfiguration: Sendable {
    /// Requests under way at once, each on a thread of its own, 1 or more.
    package var maximumConcurrent: Int
    /// Requests that may wait for their turn before the next is refused.
    package var maximumWaiting: Int
    /// The `User-Agent` header.
    package var userAgent: String
    /// Who may sign a server's certificate.
    package var trustRoots: TrustRoots
    /// Limit for name, TCP and TLS together; the request's own timeout covers everything.
    package var connectTimeout: Duration
    /// `http://host:port` of a proxy for every request; `nil` leaves it to `proxies`.
    package var proxy: String?
    /// Which servers are reached by way of a proxy; none, whatever the environment says, unless it is asked.
    package var proxies: WebProxies

    /// Creates a configuration; every default suits a venue's public REST routes.
    package init(
        maximumConcurrent: Int = 2, maximumWaiting: Int = 64, userAgent: String = "bitpal",
        trustRoots: TrustRoots = .system, connectTimeout: Duration = .seconds(5), proxy: String? = nil,
        proxies: WebProxies = WebProxies()
    ) {
        self.maximumConcurrent = maximumConcurrent
        self.maximumWaiting = maximumWaiting
        self.userAgent = userAgent
        self.trustRoots = trustRoots
        self.connectTimeout = connectTimeout
        self.proxy = proxy
        self.proxies = proxies
    }
}
