import Accounts
import Crypto
import Encodings
import GatewayFrame
import Instruments
import JSON
import JWTKit
import Web

/// What Apple says of somebody who signed in there.
struct AppleToken: Sendable, Hashable {
    /// By which Apple knows the person, towards this team only.
    var subject: String
    /// The address, where Apple has seen that it is theirs; it may be one that passes letters on.
    var email: EmailAddress?
}

/// Why an identity token is not believed.
enum AppleTokenFault: String, Error {
    case form = "its form"
    case key = "its key"
    case algorithm = "its algorithm"
    case signature = "its signature"
    case issuer = "who issued it"
    case audience = "for whom it is"
    case time = "its time"
    case nonce = "its nonce"
    case subject = "its subject"
}

/// Believes identity tokens of Apple, and no others.
///
/// Source: Apple, "Verifying a user", 2026: signature, nonce, iss, aud, exp; RFC 8725 for what goes wrong:
/// the key is chosen by its id alone and decides the algorithm, and nothing of the header is obeyed.
struct AppleVerifier: Sendable {
    /// The longest token, in bytes.
    static let longest = 8 << 10
    /// Seconds by which clocks may differ.
    static let leeway: Int64 = 60

    let clients: Set<String>
    let keys: AppleKeys
    /// Where browsers go to, and as whom; `nil` where only apps sign in.
    let page: ApplePage?

    init(clients: Set<String>, keys: AppleKeys, page: ApplePage? = nil) {
        self.clients = clients
        self.keys = keys
        self.page = page
    }

    /// With keys from where they are configured to be.
    init(_ configuration: AppleConfiguration, clock: @escaping @Sendable () -> Timestamp) {
        let client = HTTPClient(configuration: HTTPClientConfiguration(maximumConcurrent: 1))
        self.init(
            clients: Set(configuration.clients),
            keys: AppleKeys(clock: clock) { try await AppleKeys.get(configuration.keys, by: client) },
            page: configuration.page.map { ApplePage(client: $0, authorization: configuration.authorization) }
        )
    }

    /// What a token says.
    ///
    /// - Parameters:
    ///   - text: The token.
    ///   - nonce: What was given to whoever asks, and went to Apple as it is or as SHA-256 in hexadecimal.
    ///   - now: The time.
    /// - Returns: Who it is about.
    /// - Throws: ``AppleTokenFault``; what fetching keys throws, when there are none.
    func verify(_ text: String, nonce: String, at now: Timestamp) async throws -> AppleToken {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.longest, parts.count == 3, parts.allSatisfy({ !$0.isEmpty }),
            let bytes = Base64URL.bytes(Substring(parts[0])),
            case .object(let header)? = try? JSONInput.read(bytes), header["crit"] == nil,
            case .string(let algorithm)? = header["alg"], case .string(let id)? = header["kid"]
        else { throw AppleTokenFault.form }
        guard let key = try await keys.key(id) else { throw AppleTokenFault.key }
        guard algorithm == key.algorithm else { throw AppleTokenFault.algorithm }
        let claims: AppleClaims
        do {
            // Of one key, so that there is no other to fall back to.
            let collection = try await JWTKeyCollection().add(jwk: key.key, isDefault: false)
            await collection.clearDefault()
            claims = try await collection.verify(text)
        } catch {
            throw AppleTokenFault.signature
        }
        return try check(claims, nonce, at: now.nanoseconds / 1_000_000_000)
    }

    private func check(_ claims: AppleClaims, _ nonce: String, at now: Int64) throws(AppleTokenFault)
        -> AppleToken
    {
        guard claims.iss == AppleConfiguration.issuer else { throw .issuer }
        guard let audience = claims.aud.names.first, claims.aud.names.count == 1, clients.contains(audience)
        else { throw .audience }
        let (expires, issued) = (claims.exp, claims.iat ?? now)
        guard expires > now.saturating(-Self.leeway), issued <= now.saturating(Self.leeway),
            claims.nbf ?? now <= now.saturating(Self.leeway)
        else { throw .time }
        guard let said = claims.nonce, [nonce, Self.hash(nonce)].contains(said) else { throw .nonce }
        guard (1...255).contains(claims.sub.utf8.count), !claims.sub.utf8.contains(0) else { throw .subject }
        let isVerified = claims.emailVerified?.isSet ?? false
        return AppleToken(
            subject: claims.sub,
            email: isVerified ? claims.email.flatMap { try? EmailAddress(parsing: $0) } : nil)
    }

    private static func hash(_ nonce: String) -> String {
        Hexadecimal.text(SHA256.hash(data: Array(nonce.utf8)))
    }
}

/// The claims of Apple's that decide something.
private struct AppleClaims: JWTPayload {
    var iss: String
    var aud: AppleAudience
    var exp: Int64
    var iat: Int64?
    var nbf: Int64?
    var sub: String
    var nonce: String?
    var email: String?
    var emailVerified: AppleFlag?

    private enum CodingKeys: String, CodingKey {
        case iss, aud, exp, iat, nbf, sub, nonce, email
        case emailVerified = "email_verified"
    }

    /// Looked at by ``AppleVerifier``, which knows the time and who asked.
    func verify(using algorithm: some JWTAlgorithm) {}
}

/// One name, or a list of them (RFC 7519, section 4.1.3).
///
/// Not jwt-kit's own claim, which ends the process for an empty list.
private struct AppleAudience: Codable {
    var names: [String]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let name = try? container.decode(String.self) {
            names = [name]
        } else {
            names = try container.decode([String].self)
        }
    }

    func encode(to encoder: any Encoder) throws { try names.encode(to: encoder) }
}

/// A flag that Apple writes as such, or as text.
private struct AppleFlag: Codable {
    var isSet: Bool

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            isSet = flag
        } else {
            isSet = try container.decode(String.self) == "true"
        }
    }

    func encode(to encoder: any Encoder) throws { try isSet.encode(to: encoder) }
}

extension Int64 {
    /// The sum, or the largest or smallest number.
    fileprivate func saturating(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}
