/// Where requests to addresses of users may go; source: RELIABILITY.md 6.3.
public struct DestinationPolicy: Hashable, Sendable {
    /// Whether `http` is accepted besides `https`.
    public var allowsPlainHTTP: Bool
    /// The ports; empty for all.
    public var ports: Set<UInt16>
    /// Whether addresses may be connected to that are not of the public Internet.
    public var allowsPrivateAddresses: Bool

    /// Describes a policy.
    public init(allowsPlainHTTP: Bool, ports: Set<UInt16>, allowsPrivateAddresses: Bool) {
        self.allowsPlainHTTP = allowsPlainHTTP
        self.ports = ports
        self.allowsPrivateAddresses = allowsPrivateAddresses
    }

    /// `https` on 443 and 8443 at public addresses: what users may have.
    public static let strict = DestinationPolicy(
        allowsPlainHTTP: false, ports: [443, 8_443], allowsPrivateAddresses: false)
    /// Anything: what an operator may say for a machine with only their own users.
    public static let anything = DestinationPolicy(
        allowsPlainHTTP: true, ports: [], allowsPrivateAddresses: true)
}
