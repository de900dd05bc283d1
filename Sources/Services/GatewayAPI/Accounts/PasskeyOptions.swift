import Accounts
import Shapes

/// What `navigator.credentials.create` is asked (WebAuthn Level 3, 5.4, in JSON).
struct PasskeyCreationOptions: WireBody {
    struct Site: WireBody {
        static let shape = BodyShape<Site>("PasskeySite") {
            Field("id", \.id, "The page's host.", example: "bitpal.example")
            Field("name", \.name, example: "Bitpal")
        }

        var id: String
        var name: String
    }

    struct User: WireBody {
        static let shape = BodyShape<User>("PasskeyUser") {
            Field("displayName", \.displayName, example: "ann@example.org")
            Field(
                "id", \.id, "The bytes of the account's id, in Base64 for URLs.",
                example: "AZOixFsQfwCKAAEjRWeJqw")
            Field("name", \.name, example: "ann@example.org")
        }

        var id: String
        var name: String
        var displayName: String
    }

    struct Algorithm: WireBody {
        static let shape = BodyShape<Algorithm>("PasskeyAlgorithm") {
            Field("alg", \.number, "Its number in COSE.", example: -7)
            Field("type", { _ in "public-key" }, example: "public-key")
        }

        var number: Int
    }

    struct Known: WireBody {
        static let shape = BodyShape<Known>("KnownPasskey") {
            Field("id", \.id, "In Base64 for URLs.", example: "CQgHBg")
            Field("type", { _ in "public-key" }, example: "public-key")
        }

        var id: String
    }

    struct Selection: WireBody {
        static let shape = BodyShape<Selection>("PasskeySelection") {
            Field("requireResidentKey", { _ in true }, example: true)
            Field("residentKey", { _ in "required" }, example: "required")
            Field("userVerification", { _ in "required" }, example: "required")
        }
    }

    static let shape = BodyShape<PasskeyCreationOptions>(
        "PasskeyCreationQuestion", "PublicKeyCredentialCreationOptionsJSON of WebAuthn Level 3."
    ) {
        Field("attestation", { _ in "none" }, example: "none")
        Field("authenticatorSelection", { _ in Selection() })
        Field(
            "challenge", \.challenge, "In Base64 for URLs.",
            example: "mJbyX0SkIUEBoF1X3q2iF7m9nC4hIh1nXo8aQn3Jc0k")
        Field("excludeCredentials", \.known, "The passkeys that the account has.")
        Field("pubKeyCredParams", \.algorithms, "What is accepted, the best first.")
        Field("rp", \.site)
        Field("timeout", \.timeout, "Milliseconds within which the answer must come.", example: 300_000)
        Field("user", \.user)
    }

    var challenge: String
    var site: Site
    var user: User
    var algorithms: [Algorithm]
    /// Milliseconds.
    var timeout: Int64
    var known: [Known]
}

/// What `navigator.credentials.get` is asked; any passkey of the site may answer.
struct PasskeyRequestOptions: WireBody {
    static let shape = BodyShape<PasskeyRequestOptions>(
        "PasskeyQuestion", "PublicKeyCredentialRequestOptionsJSON of WebAuthn Level 3."
    ) {
        Field(
            "challenge", \.challenge, "In Base64 for URLs.",
            example: "mJbyX0SkIUEBoF1X3q2iF7m9nC4hIh1nXo8aQn3Jc0k")
        Field("rpId", \.site, "The page's host.", example: "bitpal.example")
        Field("timeout", \.timeout, "Milliseconds within which the answer must come.", example: 300_000)
        Field("userVerification", { _ in "required" }, example: "required")
    }

    var challenge: String
    var site: String
    /// Milliseconds.
    var timeout: Int64
}
