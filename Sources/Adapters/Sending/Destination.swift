import CCurl

/// The parts of a URL that decide where a request goes, as libcurl itself reads them, so that nobody can be
/// shown one host and led to another.
package struct Destination: Hashable, Sendable {
    /// `http` or `https`.
    package var scheme: String
    /// A name, or an address without brackets.
    package var host: String
    /// The port, also when the URL leaves it to the scheme.
    package var port: Int
    /// Whether the URL has a user's name or password before the host.
    package var hasUser: Bool

    /// Reads a URL.
    ///
    /// - Throws: ``SendFailure/malformed(_:)``.
    package init(url: String) throws(SendFailure) {
        guard let parser = curl_url() else { throw .malformed("no memory") }
        defer { curl_url_cleanup(parser) }
        let code = curl_url_set(parser, CURLUPART_URL, url, 0)
        guard code == CURLUE_OK else { throw .malformed(String(cString: curl_url_strerror(code))) }
        func part(_ part: CURLUPart) -> String? {
            var text: UnsafeMutablePointer<CChar>?
            guard curl_url_get(parser, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let text else {
                return nil
            }
            defer { curl_free(text) }
            return String(cString: text)
        }
        guard let scheme = part(CURLUPART_SCHEME), scheme == "http" || scheme == "https" else {
            throw .malformed("its scheme is neither http nor https")
        }
        guard let host = part(CURLUPART_HOST), !host.isEmpty,
            let port = part(CURLUPART_PORT).flatMap({ Int($0) }), (1...65_535).contains(port)
        else { throw .malformed("it names no host") }
        self.scheme = scheme
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        self.port = port
        hasUser = part(CURLUPART_USER) != nil || part(CURLUPART_PASSWORD) != nil
    }

    /// What requests to one receiver have in common.
    package var key: String { "\(scheme)://\(host):\(port)" }
}
