/// The limits of an ``HTTPClient``.
public struct HTTPClientConfiguration: Sendable {
    /// Requests under way at once, each on a thread of its own, 1 or more.
    public var maximumConcurrent: Int
    /// Requests that may wait for their turn before the next is refused.
    public var maximumWaiting: Int
    /// The `User-Agent` header.
    public var userAgent: String
    /// Who may sign a server's certificate.
    public var trustRoots: TrustRoots
    /// Limit for name, TCP and TLS together; the request's own timeout covers everything.
    public var connectTimeout: Duration
    /// `http://host:port` of a proxy; `nil` connects directly, whatever the environment says.
    public var proxy: String?

    /// Creates a configuration; every default suits a venue's public REST routes.
    public init(
        maximumConcurrent: Int = 2, maximumWaiting: Int = 64, userAgent: String = "bitpal",
        trustRoots: TrustRoots = .system, connectTimeout: Duration = .seconds(5), proxy: String? = nil
    ) {
        self.maximumConcurrent = maximumConcurrent
        self.maximumWaiting = maximumWaiting
        self.userAgent = userAgent
        self.trustRoots = trustRoots
        self.connectTimeout = connectTimeout
        self.proxy = proxy
    }
}
