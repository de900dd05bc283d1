/// Which address a request came from.
package enum ClientAddress {
    /// The peer, or, where the peer is a trusted proxy, the right-most address of `X-Forwarded-For` that is
    /// none; where all are, the left-most, whom a trusted proxy has seen.
    ///
    /// What stands further to the left was said by the client itself and proves nothing.
    package static func of(peer: String, forwarded: [String], trusted: TrustedProxies) -> String {
        var client = peer
        for hop in forwarded.flatMap({ $0.split(separator: ",") }).reversed() {
            guard trusted.contains(client) else { break }
            let address = address(of: hop)
            guard ServerConfiguration.isIPAddress(address) else { break }
            client = address
        }
        return client
    }

    /// What a hop names, without white space around it, without the brackets of version 6 and a port.
    private static func address(of text: Substring) -> String {
        let hop = text.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
        if hop.first == "[" { return String(hop.dropFirst().prefix { $0 != "]" }) }
        // With more colons it is of version 6, without brackets.
        let parts = hop.split(separator: ":", omittingEmptySubsequences: false)
        return String(parts.count == 2 ? parts[0] : hop)
    }
}
