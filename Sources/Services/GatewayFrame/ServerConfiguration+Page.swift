package import Operations

extension ServerConfiguration {
    /// Where browsers find the page as far as is known beforehand, without a slash at the end.
    package var origin: String { pageURL ?? "\(scheme)://localhost:\(address.port)" }

    /// Where browsers find the page of a gateway that listens at an address, without a slash at the end.
    ///
    /// On this machine by a name: passkeys belong to names, never to an address of digits (WebAuthn Level 3,
    /// 5.1.2). A browser asks at 127.0.0.1 as well as at ::1 for `localhost`.
    package func origin(at address: NetworkAddress) -> String {
        if let pageURL { return pageURL }
        let isHere = ["127.0.0.1", "::1", "localhost"].contains(address.host)
        return "\(scheme)://\(isHere ? "localhost:\(address.port)" : "\(address)")"
    }

    private var scheme: String { tls == nil ? "http" : "https" }
}
