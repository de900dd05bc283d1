/// Which servers are reached by way of a proxy, as curl reads it from the environment.
///
/// `https_proxy` or `HTTPS_PROXY` for `https` and `wss`, `http_proxy` for `http` and `ws`, `all_proxy` or
/// `ALL_PROXY` for both; `no_proxy` or `NO_PROXY` names what is reached directly. Lower case comes first;
/// `HTTP_PROXY` is not read, since a web server may set it to what a client says. Other than curl, this
/// machine itself is always reached directly: nobody else can reach it.
///
/// Source: curl(1), "Environment", and CURLOPT_NOPROXY(3) of curl 8, read 2026-11.
package struct WebProxies: Sendable, Hashable {
    private var secure: String?
    private var plain: String?
    /// Ends of names, in lower case and without a dot at their beginning; `*` for all.
    private var direct: [Substring] = []

    /// None.
    package init() {}

    /// What an environment names.
    package init(environment: [String: String]) {
        func value(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first.flatMap { $0.isEmpty ? nil : $0 }
        }
        let all = value("all_proxy", "ALL_PROXY")
        secure = value("https_proxy", "HTTPS_PROXY") ?? all
        plain = value("http_proxy") ?? all
        let list = value("no_proxy", "NO_PROXY")?.lowercased() ?? ""
        direct = list.split { $0 == "," || $0 == " " }.map { $0.hasPrefix(".") ? $0.dropFirst() : $0 }
    }

    /// Chooses the way to a host.
    ///
    /// - Parameters:
    ///   - host: A name, or an address without brackets.
    ///   - isSecure: Whether TLS is spoken with it.
    /// - Returns: The proxy; `nil` where there is none on the way.
    /// - Throws: ``WebError/proxyFailed(proxy:reason:)`` where the proxy is none that can be used.
    func proxy(to host: String, isSecure: Bool) throws(WebError) -> WebProxy? {
        guard let text = isSecure ? secure : plain, !isDirect(host.lowercased()) else { return nil }
        return try WebProxy(parsing: text)
    }

    private func isDirect(_ host: String) -> Bool {
        let isHere = host == "localhost" || host.hasPrefix("127.") || host == "::1"
        return isHere || direct.contains { $0 == "*" || host == $0 || host.hasSuffix("." + $0) }
    }
}
