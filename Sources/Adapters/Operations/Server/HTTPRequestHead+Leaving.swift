package import NIOHTTP1

extension HTTPRequestHead {
    /// Whether another protocol follows behind it, if the server agrees: an upgrade or a tunnel.
    ///
    /// The decoder stops there and keeps all that comes: who does not agree has to close after the answer.
    /// Source: RFC 9110, sections 7.8 and 9.3.6.
    package var leavesHTTP: Bool {
        let options = headers[canonicalForm: "connection"].map { $0.lowercased() }
        return method == .CONNECT || headers.contains(name: "upgrade") && options.contains("upgrade")
    }
}
