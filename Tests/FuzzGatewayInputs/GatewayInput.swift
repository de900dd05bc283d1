/// What the fuzz target `fuzz-gateway` does with an input, and the ordinary tests with every kept one.
///
/// The first byte chooses who reads the rest: the letter of a ``GatewayReader``, other bytes by their
/// remainder.
package enum GatewayInput {
    /// Gives the rest of an input to its reader.
    ///
    /// - Precondition: What a reader accepts has the properties that stand beside it.
    package static func run(_ input: UnsafeRawBufferPointer) {
        guard let first = input.first else { return }
        GatewayReader(choice: first).read(Array(input.dropFirst()))
    }
}

/// Everything at the gateway that reads what strangers send, each with the letter that chooses it.
package enum GatewayReader: UInt8, CaseIterable, Sendable {
    /// The body of a request, as every type that can be told from outside.
    case body = 0x62  // b
    /// The parameters behind the question mark.
    case query = 0x71  // q
    /// A path, and the names of things in it.
    case path = 0x70  // p
    /// The place in a list where a page begins.
    case cursor = 0x63  // c
    /// Headers: cookies, tokens, keys, tags, origins, addresses, the handshake of the stream.
    case headers = 0x68  // h
    /// Frames of a WebSocket client.
    case frames = 0x66  // f
    /// A message of the stream.
    case message = 0x6D  // m
    /// What a browser signs of a passkey, in JSON.
    case clientData = 0x64  // d
    /// What an authenticator signs, with the key of a new passkey.
    case authenticatorData = 0x61  // a
    /// The attestation of a new passkey.
    case attestation = 0x72  // r
    /// Bytes as text: Base64, Base32, hexadecimal digits.
    case encodings = 0x78  // x
    /// Apple's identity tokens, their claims, and the set of Apple's keys.
    case apple = 0x6A  // j
    /// One-time passwords, recovery codes, tokens of the API.
    case codes = 0x6F  // o
    /// What a person types about an account: address, password, name, zone.
    case account = 0x73  // s
    /// Addresses of mailboxes, and the links in letters.
    case mail = 0x69  // i
    /// Addresses of receivers that a user chose.
    case destination = 0x77  // w
    /// Settings and secrets of a channel, and what a receiver answers.
    case channel = 0x6B  // k
    /// Amounts and decimals.
    case amount = 0x6E  // n
    /// Times, dates, durations, zones.
    case time = 0x74  // t
    /// A rule of an alert, and the engine that it is given to.
    case rule = 0x75  // u

    init(choice: UInt8) {
        self = GatewayReader(rawValue: choice) ?? Self.allCases[Int(choice) % Self.allCases.count]
    }

    func read(_ bytes: [UInt8]) {
        switch self {
        case .body: BodyInput.read(bytes)
        case .query: AddressInput.readQuery(bytes)
        case .path: AddressInput.readPath(bytes)
        case .cursor: AddressInput.readCursor(bytes)
        case .headers: HeaderInput.read(bytes)
        case .frames: SocketInput.readFrames(bytes)
        case .message: SocketInput.readMessage(bytes)
        case .clientData: PasskeyInput.readClientData(bytes)
        case .authenticatorData: PasskeyInput.readAuthenticatorData(bytes)
        case .attestation: PasskeyInput.readAttestation(bytes)
        case .encodings: CodeInput.readEncodings(bytes)
        case .apple: AppleInput.read(bytes)
        case .codes: CodeInput.readCodes(bytes)
        case .account: AccountInput.read(bytes)
        case .mail: DestinationInput.readMail(bytes)
        case .destination: DestinationInput.readAddress(bytes)
        case .channel: DestinationInput.readChannel(bytes)
        case .amount: NumberInput.readAmount(bytes)
        case .time: TimeInput.read(bytes)
        case .rule: RuleInput.read(bytes)
        }
    }
}

extension [UInt8] {
    /// The bytes as a server hands them on: what is no UTF-8 is replaced.
    var asText: String { String(decoding: self, as: UTF8.self) }

    /// So many lines of the text, the last with all that follows; what is missing is empty.
    func lines(_ count: Int) -> [String] {
        let parts = split(separator: 0x0A, maxSplits: count - 1, omittingEmptySubsequences: false)
        let lines = parts.map { String(decoding: $0, as: UTF8.self) }
        return lines + Array<String>(repeating: "", count: count - lines.count)
    }
}
