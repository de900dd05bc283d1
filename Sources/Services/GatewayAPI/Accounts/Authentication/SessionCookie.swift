import HTTPTypes
import Hummingbird

/// The cookie of a session.
///
/// Its prefix makes browsers refuse it without `Secure`, with a domain, or for another path (RFC 6265bis,
/// 4.1.3). Browsers take a `Secure` cookie over plain HTTP from loopback.
enum SessionCookie {
    static let name = "__Host-bitpal"

    /// The value that a request sends; `nil` without one, or with several, which a browser never sends.
    static func value(in fields: HTTPFields) -> String? {
        let pairs = fields[values: .cookie].flatMap { $0.split(separator: ";") }
            .map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) }
            .filter { $0.count == 2 && $0[0].drop { $0 == " " } == name }
        guard pairs.count == 1, let value = pairs.first?[1], value.utf8.count <= 128 else { return nil }
        return String(value)
    }

    /// Sets it for as long as a session may last.
    static func set(_ secret: String, seconds: Int64) -> String {
        "\(name)=\(secret); Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=\(seconds)"
    }

    /// Takes it away.
    static let clear = "\(name)=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0"
}
