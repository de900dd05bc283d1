import AccountStore
import Accounts
import Encodings
import GatewayFrame
import Instruments
import JSON
import Shapes

extension InputKind<[UInt8]> {
    /// Bytes as WebAuthn writes them in JSON.
    fileprivate static var encoded: InputKind<[UInt8]> {
        InputKind<[UInt8]>(.text(), missing: "a text in quotes") { (json) throws(InputFault) in
            guard case .string(let text) = json else {
                throw .refused(FieldFault("", json.excerpt, accepted: "a text in quotes"))
            }
            guard text.utf8.count <= 65_536, let bytes = Base64URL.bytes(text), !bytes.isEmpty else {
                // What it had is not told: it may open something.
                throw .refused(
                    FieldFault("", nil, accepted: "bytes in Base64 for URLs, without padding"))
            }
            return bytes
        }
    }
}

extension InputKind<JSONValue?> {
    /// What browsers add to an answer and nothing here asks for.
    fileprivate static func ignored(_ type: DocumentNode) -> InputKind<JSONValue?> {
        .optional(.any(.keywords([.init("type", type)])))
    }
}

/// The answer of `navigator.credentials.create`, in the form of its `toJSON()`, and a name.
struct NewPasskey: WireInput {
    struct Response: WireInput {
        static let shape = InputShape(
            "NewPasskeyResponse",
            { clientDataJSON, attestationObject, _, _, _, _ in
                Response(clientDataJSON: clientDataJSON, attestationObject: attestationObject)
            }
        ) {
            InputField("clientDataJSON", .encoded, example: "e30")
            InputField("attestationObject", .encoded, example: "oA")
            InputField("transports", .ignored("array"))
            InputField("authenticatorData", .ignored("string"))
            InputField("publicKey", .ignored("string"))
            InputField("publicKeyAlgorithm", .ignored("integer"))
        }

        var clientDataJSON: [UInt8]
        var attestationObject: [UInt8]
    }

    static let shape = InputShape(
        "NewPasskey",
        about: "What navigator.credentials.create answered, in the form of its toJSON(), and a name.",
        { name, _, _, _, _, _, response in NewPasskey(name: name, response: response) }
    ) {
        InputField("name", .optional(.name(1...64)), "What it is called.", example: "Phone")
        InputField("id", .text, example: "CQgHBg")
        InputField("rawId", .optional(.text), example: "CQgHBg")
        InputField("type", .optional(.text), example: "public-key")
        InputField("authenticatorAttachment", .optional(.text))
        InputField("clientExtensionResults", .ignored("object"))
        InputField("response", .object(Response.self))
    }

    var name: String?
    var response: Response
}

/// The answer of `navigator.credentials.get`, in the form of its `toJSON()`.
struct PasskeyBody: WireInput {
    struct Response: WireInput {
        static let shape = InputShape(
            "PasskeyProofResponse", Self.init(clientDataJSON:authenticatorData:signature:userHandle:)
        ) {
            InputField("clientDataJSON", .encoded, example: "e30")
            InputField("authenticatorData", .encoded, example: "AA")
            InputField("signature", .encoded, example: "AA")
            InputField("userHandle", .optional(.encoded))
        }

        var clientDataJSON: [UInt8]
        var authenticatorData: [UInt8]
        var signature: [UInt8]
        var userHandle: [UInt8]?
    }

    static let shape = InputShape(
        "PasskeyProof", about: "What navigator.credentials.get answered, in the form of its toJSON().",
        { id, _, _, _, _, response in PasskeyBody(id: id, response: response) }
    ) {
        InputField("id", .encoded, example: "CQgHBg")
        InputField("rawId", .optional(.text))
        InputField("type", .optional(.text))
        InputField("authenticatorAttachment", .optional(.text))
        InputField("clientExtensionResults", .ignored("object"))
        InputField("response", .object(Response.self))
    }

    var id: [UInt8]
    var response: Response
}

/// A passkey as the API shows it.
struct PasskeyAnswer: WireBody {
    static let shape = BodyShape<PasskeyAnswer>("Passkey", "A passkey of a user.") {
        Field(
            "created", \.passkey.created.inAnswers, as: .time,
            example: .momentInAnswers)
        Field("id", \.passkey.id)
        Field("last_used", \.passkey.lastUsed?.inAnswers, as: .nullable(.time))
        Field("name", \.passkey.name, example: "Phone")
    }

    var passkey: StoredPasskey
}
