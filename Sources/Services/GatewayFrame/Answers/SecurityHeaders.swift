import HTTPTypes

/// What every answer forbids a browser.
enum SecurityHeaders {
    /// Nothing but our own files and connections; data: is for icons drawn in styles.
    static let policy = [
        "default-src 'self'", "img-src 'self' data:", "connect-src 'self'", "base-uri 'none'",
        "object-src 'none'", "form-action 'self'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// Adds them where the route has not set its own.
    static func write(to headers: inout HTTPFields, isSecure: Bool) {
        set(.contentSecurityPolicy, policy, &headers)
        set(.xContentTypeOptions, "nosniff", &headers)
        set(.referrerPolicy, "no-referrer", &headers)
        set(.xFrameOptions, "DENY", &headers)
        set(.crossOriginOpenerPolicy, "same-origin", &headers)
        set(.crossOriginResourcePolicy, "same-origin", &headers)
        set(.permissionsPolicy, "camera=(), geolocation=(), microphone=(), payment=(), usb=()", &headers)
        if isSecure { set(.strictTransportSecurity, "max-age=31536000", &headers) }
    }

    private static func set(_ name: HTTPField.Name, _ value: String, _ headers: inout HTTPFields) {
        if headers[name] == nil { headers[name] = value }
    }
}

extension HTTPField.Name {
    static let referrerPolicy = HTTPField.Name("Referrer-Policy") ?? .via
    static let permissionsPolicy = HTTPField.Name("Permissions-Policy") ?? .via
    static let xFrameOptions = HTTPField.Name("X-Frame-Options") ?? .via
    static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy") ?? .via
    static let crossOriginResourcePolicy = HTTPField.Name("Cross-Origin-Resource-Policy") ?? .via
}
