/// By what a server knows whether an answer that somebody has is still the newest.
///
/// Source: RFC 9110, 13.1.2 and 13.1.3.
package struct AnswerValidators: Hashable, Sendable {
    /// The `ETag`.
    package var tag: String?
    /// The `Last-Modified`, as it was told.
    package var modified: String?

    package init(tag: String? = nil, modified: String? = nil) {
        self.tag = tag
        self.modified = modified
    }

    /// The headers that ask for news only.
    package var headers: [String: String] {
        var headers: [String: String] = [:]
        headers["If-None-Match"] = tag
        // Where there is a tag, it alone counts.
        if tag == nil { headers["If-Modified-Since"] = modified }
        return headers
    }
}
