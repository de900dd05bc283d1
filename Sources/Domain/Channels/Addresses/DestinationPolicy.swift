/// Where requests to addresses of users may go; source: RELIABILITY.md 6.3.
package struct DestinationPolicy: Hashable, Sendable {
    /// Whether `http` is accepted besides `https`.
    package var allowsPlainHTTP: Bool
    /// The ports; empty for all.
    package var ports: Set<UInt16>
    /// Whether addresses may be connected to that are not of the public Internet.
    package var allowsPrivateAddresses: Bool

    package init(allowsPlainHTTP: Bool, ports: Set<UInt16>, allowsPrivateAddresses: Bool) {
        self.allowsPlainHTTP = allowsPlainHTTP
        self.ports = ports
        self.allowsPrivateAddresses = allowsPrivateAddresses
    }

    /// `https` on 443 and 8443 at public addresses: what users may have.
    package static let strict = DestinationPolicy(
        allowsPlainHTTP: false, ports: [443, 8_443], allowsPrivateAddresses: false)
    /// Anything: what an operator may say for a machine with only their own users.
    package static let anything = DestinationPolicy(
        allowsPlainHTTP: true, ports: [], allowsPrivateAddresses: true)
}
