/// Where letters are handed in.
public struct MailRelay: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// How the connection is protected.
    public enum Security: String, Hashable, Sendable, CaseIterable {
        /// TLS from the first byte.
        case tls
        /// Plain at first, then TLS; refused by us where the relay offers none.
        case starttls
        /// Never protected: for a relay on this machine.
        case none
    }

    /// A name or an address.
    public var host: String
    /// 1...65535.
    public var port: Int
    /// How the connection is protected.
    public var security: Security
    /// `nil` hands in without a name.
    public var user: String?
    /// With the name.
    public var password: String?

    /// Describes a relay.
    public init(
        host: String, port: Int, security: Security, user: String? = nil, password: String? = nil
    ) {
        self.host = host
        self.port = port
        self.security = security
        self.user = user
        self.password = password
    }

    /// Without the password.
    public var description: String { "\(security.rawValue) \(host):\(port)" }
    /// Without children, so that no dump shows the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The limits of a ``Sender``.
public struct SenderConfiguration: Sendable {
    /// Where letters are handed in; `nil` sends none.
    public var relay: MailRelay?
    /// A PEM file with the only certificates trusted; `nil` trusts the system's.
    public var trustRoots: String?
    /// For name, TCP and TLS together.
    public var connectTimeout = Duration.seconds(10)
    /// For a whole exchange, its name's look-up excepted.
    public var timeout = Duration.seconds(15)
    /// Bytes of an answer's body that are read; the exchange ends there, as answered.
    public var readLimit = 64 << 10
    /// Bytes of an answer's body that are kept.
    public var keepLimit = 4 << 10
    /// The `User-Agent` of requests that name none.
    public var userAgent = "bitpal"

    /// The defaults.
    public init() {}
}
