import Crypto
package import HTTPTypes
package import Hummingbird
package import NIOCore
package import Shapes

/// An answer as it is kept: status, the headers that matter, body.
package struct KeptAnswer: Hashable, Sendable {
    var status: Int
    var type = ""
    var location = ""
    var body: [UInt8] = []

    /// Nothing to say but that it is done.
    static let noContent = KeptAnswer(status: HTTPResponse.Status.noContent.code)

    private init(status: Int) { self.status = status }

    /// JSON, and where what it tells of is.
    package init(_ status: HTTPResponse.Status, _ body: some WireValue, at location: String? = nil) {
        self.status = status.code
        type = "application/json"
        self.location = location ?? ""
        self.body = body.json
    }

    /// A refusal.
    init(_ problem: Problem) {
        status = problem.code.status.code
        type = "application/problem+json"
        body = problem.json
    }

    /// Reads it back; `nil` when it is not whole.
    init?(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: 0x0A, maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let status = Int(String(decoding: parts[0], as: UTF8.self)) else {
            return nil
        }
        self.status = status
        type = String(decoding: parts[1], as: UTF8.self)
        location = String(decoding: parts[2], as: UTF8.self)
        body = Array(parts[3])
    }

    /// For the database.
    var bytes: [UInt8] { Array("\(status)\n\(type)\n\(location)\n".utf8) + body }

    /// The answer, as the first one who asks is given it.
    package var response: Response {
        var headers: HTTPFields = [.cacheControl: CachePolicy.never.cacheControl]
        if !type.isEmpty { headers[.contentType] = type }
        if !location.isEmpty { headers[.location] = location }
        return Response(
            status: .init(code: status), headers: headers,
            body: body.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }

    /// The answer, given again.
    var replay: Response {
        var response = response
        response.headers[.idempotencyReplayed] = "true"
        return response
    }
}

/// What an `Idempotency-Key` becomes: a name under which the answer is kept, and what seals it.
///
/// The database knows neither, so that an answer that is shown once (a token) cannot be read out of it.
package struct AnswerKey: Sendable {
    /// 32 bytes.
    package let name: [UInt8]
    private let seal: SymmetricKey

    /// - Throws: `invalid-field` for a key that is not 1...200 printable characters.
    package init(_ text: String, of user: String) throws(Problem) {
        guard (1...200).contains(text.utf8.count), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw .invalid("Idempotency-Key", text, accepted: "1 to 200 printable characters")
        }
        name = Array(SHA256.hash(data: Array("name\n\(user)\n\(text)".utf8)))
        seal = SymmetricKey(data: SHA256.hash(data: Array("seal\n\(user)\n\(text)".utf8)))
    }

    /// What a request with the key is known by: 32 bytes.
    ///
    /// Who has not the key cannot compare guesses with it, of a password in the body for one.
    package func mark(of request: Request, _ body: ByteBuffer) -> [UInt8] {
        var mark = HMAC<SHA256>(key: seal)
        mark.update(data: Array("\(request.method.rawValue) \(request.head.path ?? "")\n".utf8))
        mark.update(data: Array(body.readableBytesView))
        return Array(mark.finalize())
    }

    /// Seals an answer.
    ///
    /// - Throws: Never with a key of 32 bytes; what was done under an answer that cannot be kept is undone.
    func sealed(_ answer: KeptAnswer) throws -> [UInt8] {
        let box = try AES.GCM.seal(answer.bytes, using: seal, authenticating: name)
        return Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
    }

    /// Opens one; `nil` when it is not ours.
    func opened(_ bytes: [UInt8]) -> KeptAnswer? {
        guard let box = try? AES.GCM.SealedBox(combined: bytes),
            let plain = try? AES.GCM.open(box, using: seal, authenticating: name)
        else { return nil }
        return KeptAnswer(Array(plain))
    }
}

extension HTTPField.Name {
    package static let idempotencyKey = HTTPField.Name("Idempotency-Key") ?? .via
    package static let idempotencyReplayed = HTTPField.Name("Idempotency-Replayed") ?? .via
}
