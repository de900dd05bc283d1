import HTTPTypes

/// Refuses what another site's page makes a browser do.
///
/// Source: OWASP, Cross-Site Request Forgery Prevention (2026): the fetch metadata of the request, and where
/// a browser sends none, its origin.
enum CrossSite {
    /// Lets a request that changes something pass.
    ///
    /// - Parameters:
    ///   - headers: The request's.
    ///   - authority: The host and port that it was sent to.
    ///   - page: Where people find the page, when that is configured.
    /// - Throws: `cross-site`.
    static func check(_ headers: HTTPFields, authority: String?, page: String?) throws(Problem) {
        // No page of another site can set this header without being asked first, and it never is allowed to.
        guard headers[.authorization] == nil else { return }
        if let site = headers[.secFetchSite] {
            guard site == "same-origin" || site == "none" else {
                throw Problem(.crossSite, "a page of another site asked for this")
            }
            return
        }
        if let origin = headers[.origin] {
            guard isOwn(origin, authority: authority, page: page) else {
                throw Problem(.crossSite, "the origin \(origin.prefix(120)) is not this site")
            }
            return
        }
        guard headers[.cookie] == nil else {
            throw Problem(
                .crossSite, "a request with a cookie needs Sec-Fetch-Site or Origin; programs use a token")
        }
    }

    private static func isOwn(_ origin: String, authority: String?, page: String?) -> Bool {
        if let page { return origin == page }
        guard let authority else { return false }
        return origin == "http://\(authority)" || origin == "https://\(authority)"
    }
}

extension HTTPField.Name {
    /// What a browser says of the site that asks.
    static let secFetchSite: HTTPField.Name = HTTPField.Name("Sec-Fetch-Site") ?? .origin
}
