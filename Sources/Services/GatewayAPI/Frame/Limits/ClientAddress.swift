/// Which address a request came from.
enum ClientAddress {
    /// The peer, or, where the peer is a trusted proxy, the right-most address of `X-Forwarded-For` that is
    /// none.
    ///
    /// What stands further to the left was said by the client itself and proves nothing.
    static func of(peer: String, forwarded: [String], trusted: Set<String>) -> String {
        guard trusted.contains(peer) else { return peer }
        let hops = forwarded.flatMap { $0.split(separator: ",") }.map(trimmed)
        for hop in hops.reversed() where !trusted.contains(hop) {
            return GatewayConfiguration.isIPAddress(hop) ? hop : peer
        }
        return peer
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        return String(start.prefix { $0 != " " && $0 != "\t" })
    }
}
