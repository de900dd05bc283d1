/// Where letters are handed in.
package struct MailRelay: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// How the connection is protected.
    package enum Security: String, Hashable, Sendable, CaseIterable {
        /// TLS from the first byte.
        case tls
        /// Plain at first, then TLS; refused by us where the relay offers none.
        case starttls
        /// Never protected: for a relay on this machine.
        case none
    }

    /// A name or an address.
    package var host: String
    /// 1...65535.
    package var port: Int
    /// How the connection is protected.
    package var security: Security
    /// `nil` hands in without a name.
    package var user: String?
    /// With the name.
    package var password: String?

    package init(
        host: String, port: Int, security: Security, user: String? = nil, password: String? = nil
    ) {
        self.host = host
        self.port = port
        self.security = security
        self.user = user
        self.password = password
    }

    /// Without the password.
    package var description: String { "\(security.rawValue) \(host):\(port)" }
    /// Without children, so that no dump shows the password.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The limits of a ``Sender``.
package struct SenderConfiguration: Sendable {
    /// Where letters are handed in; `nil` sends none.
    package var relay: MailRelay?
    /// A PEM file with the only certificates trusted; `nil` trusts the system's.
    package var trustRoots: String?
    /// For name, TCP and TLS together.
    package var connectTimeout = Duration.seconds(10)
    /// For a whole exchange, its name's look-up excepted.
    package var timeout = Duration.seconds(15)
    /// Bytes of an answer's body that are read; the exchange ends there, as answered.
    package var readLimit = 64 << 10
    /// Bytes of an answer's body that are kept.
    package var keepLimit = 4 << 10
    /// The `User-Agent` of requests that name none.
    package var userAgent = "bitpal"

    package init() {}
}
