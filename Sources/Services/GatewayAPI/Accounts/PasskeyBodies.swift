import AccountStore
import Accounts
import Encodings
import Store

/// What browsers add to an answer and nothing here asks for.
private struct Ignored: Decodable {
    init(from decoder: any Decoder) {}
}

/// The answer of `navigator.credentials.create`, in the form of its `toJSON()`, and a name.
struct NewPasskeyBody: Decodable {
    struct Response: Decodable {
        var clientDataJSON: String
        var attestationObject: String

        private enum CodingKeys: CodingKey {
            case clientDataJSON, attestationObject, transports, authenticatorData, publicKey
            case publicKeyAlgorithm
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            clientDataJSON = try members.decode(String.self, forKey: .clientDataJSON)
            attestationObject = try members.decode(String.self, forKey: .attestationObject)
            for key in [CodingKeys.transports, .authenticatorData, .publicKey, .publicKeyAlgorithm] {
                _ = try members.decodeIfPresent(Ignored.self, forKey: key)
            }
        }
    }

    var name: String?
    var id: String
    var rawId: String?
    var type: String?
    var authenticatorAttachment: String?
    private var clientExtensionResults: Ignored?
    var response: Response
}

/// The answer of `navigator.credentials.get`, in the form of its `toJSON()`.
struct PasskeyBody: Decodable {
    struct Response: Decodable {
        var clientDataJSON: String
        var authenticatorData: String
        var signature: String
        var userHandle: String?
    }

    var id: String
    var rawId: String?
    var type: String?
    var authenticatorAttachment: String?
    private var clientExtensionResults: Ignored?
    var response: Response

    /// Bytes of a field.
    ///
    /// - Throws: `invalid-field`.
    static func bytes(_ text: String, _ field: String) throws(Problem) -> [UInt8] {
        guard text.utf8.count <= 65_536, let bytes = Base64URL.bytes(text), !bytes.isEmpty else {
            throw .invalid(field, nil, accepted: "bytes in Base64 for URLs, without padding")
        }
        return bytes
    }
}

/// A passkey as the API shows it.
struct PasskeyAnswer: Encodable {
    var id: String
    var name: String
    var created: String
    var lastUsed: String?

    init(_ passkey: StoredPasskey) {
        id = passkey.id.description
        name = passkey.name
        created = passkey.created.inAnswers
        lastUsed = passkey.lastUsed?.inAnswers
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, created
        case lastUsed = "last_used"
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(name, forKey: .name)
        try members.encode(created, forKey: .created)
        try members.encode(lastUsed, forKey: .lastUsed)
    }
}

/// What `navigator.credentials.create` is asked (WebAuthn Level 3, 5.4, in JSON).
struct RegistrationOptions: Encodable {
    struct Site: Encodable {
        var id: String
        var name: String
    }

    struct User: Encodable {
        var id: String
        var name: String
        var displayName: String
    }

    struct Algorithm: Encodable {
        var type = "public-key"
        var alg: Int
    }

    struct Known: Encodable {
        var type = "public-key"
        var id: String
    }

    struct Selection: Encodable {
        var residentKey = "required"
        var requireResidentKey = true
        var userVerification = "required"
    }

    var challenge: String
    var rp: Site
    var user: User
    var pubKeyCredParams: [Algorithm]
    var timeout: Int64
    var excludeCredentials: [Known]
    var authenticatorSelection = Selection()
    var attestation = "none"
}

/// What `navigator.credentials.get` is asked; any passkey of the site may answer.
struct SignInOptions: Encodable {
    var challenge: String
    var rpId: String
    var timeout: Int64
    var userVerification = "required"
}
