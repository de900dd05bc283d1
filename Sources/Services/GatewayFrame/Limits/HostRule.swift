import Operations

/// Which hosts a request may be sent to.
///
/// The page of another site can make its own name lead to an address of this machine or network (DNS
/// rebinding); what it finds there is then of its own origin. It cannot make the browser name another host.
package struct HostRule: Hashable, Sendable {
    /// In lower case, without ports; `nil` where any will do.
    private let accepted: Set<String>?
    /// Whether any address of digits will do besides: nobody's name leads to it.
    private let takesAddresses: Bool

    /// The names of this machine where only it can reach us, and the page's; any where neither is known.
    package init(_ configuration: ServerConfiguration) {
        let (address, page) = (configuration.address, configuration.pageURL)
        takesAddresses = !address.isLoopback
        guard page != nil || address.isLoopback && !configuration.isBehindProxy else {
            accepted = nil
            return
        }
        var names: Set<String> = ["localhost", "127.0.0.1", "::1", address.host.lowercased()]
        if let page { names.insert(Self.host(of: page.drop { $0 != ":" }.dropFirst(3))) }
        accepted = names
    }

    /// Lets a request pass.
    ///
    /// - Parameter authority: The host, with a port or without, that it was sent to.
    /// - Throws: `wrong-host`.
    package func check(_ authority: String?) throws(Problem) {
        guard let accepted, let authority else { return }
        let host = Self.host(of: authority[...])
        guard !accepted.contains(host), !(takesAddresses && ServerConfiguration.isIPAddress(host)) else {
            return
        }
        var problem = Problem(
            .wrongHost,
            "nothing is served for \(authority.prefix(120)) here; a proxy in front passes the Host on, and "
                + "page.url names it")
        (problem.field, problem.value) = ("Host", String(authority.prefix(120)))
        problem.accepted = accepted.sorted().joined(separator: ", ")
        throw problem
    }

    /// The host without its port, and without the brackets of an IPv6 address.
    private static func host(of authority: Substring) -> String {
        let end = authority.first == "[" ? "]" : ":" as Character
        return authority.prefix { $0 != end }.drop { $0 == "[" }.lowercased()
    }
}
