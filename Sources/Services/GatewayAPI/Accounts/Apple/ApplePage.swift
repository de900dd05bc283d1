import Accounts
import Credentials
import Crypto
import Encodings
import GatewayFrame
import Hummingbird

/// How a browser signs in with Apple: it goes to Apple's page, which posts the answer to our address, from
/// where it is led to the page, with the answer in the fragment.
///
/// Our address believes nothing and changes nothing. The page hands the answer to the API together with the
/// nonce that its tab kept: what somebody else's browser began is worth nothing here.
///
/// Source: Apple, "Incorporating Sign in with Apple into other platforms", 2026.
struct ApplePage: Sendable, Hashable {
    /// Where Apple posts to, behind the page's address; it is registered with Apple.
    static let path = "/auth/apple/return"

    /// The service id.
    var client: String
    var authorization: String

    /// Where a browser goes to.
    ///
    /// - Parameters:
    ///   - nonce: Stays with the browser: Apple gets its hash, which the answer has in it.
    ///   - back: Where the page is, without a slash at the end.
    /// - Returns: An absolute URL.
    func address(nonce: String, back: String) -> String {
        let hash = Hexadecimal.text(SHA256.hash(data: Array(nonce.utf8)))
        let parameters = [
            ("client_id", client), ("redirect_uri", back + Self.path), ("response_type", "code id_token"),
            ("response_mode", "form_post"), ("scope", "email"), ("nonce", hash),
        ]
        return authorization + "?" + parameters.map { "\($0)=\(Self.escape($1))" }.joined(separator: "&")
    }

    /// What Apple posted, as the place in the page that deals with it.
    static func place(of form: RequestQuery) -> String {
        // A token is letters, digits and a few signs (RFC 7515, 7.1): what has others is none.
        guard let token = form.all("id_token").first, (1...AppleVerifier.longest).contains(token.utf8.count),
            token.utf8.allSatisfy({ isPlain($0) })
        else { return "/#/apple?error=1" }
        return "/#/apple?token=\(token)"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }

    private static func escape(_ text: String) -> String {
        text.utf8.map { byte in
            isPlain(byte) ? String(UnicodeScalar(byte)) : "%" + Hexadecimal.text([byte]).uppercased()
        }.joined()
    }
}

extension Gateway {
    /// Where Apple leads browsers back to; a page of Apple's posts a form, so that it is no part of the API.
    func addAppleReturn(to routes: RouteTable) {
        routes.form(ApplePage.path) { _, context in
            let form = try RequestQuery(String(decoding: context.body.readableBytesView, as: UTF8.self))
            return Response(
                status: .seeOther,
                headers: [.location: ApplePage.place(of: form), .cacheControl: "no-store"])
        }
    }
}
