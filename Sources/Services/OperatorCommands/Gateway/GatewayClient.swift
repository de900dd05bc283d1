import Encodings
import JSON
import Store
import Web

/// Asks a gateway for what people own, as the page and apps do: the same rules hold, and what is made here
/// stands there.
///
/// A refusal becomes one line for a person with the status that fits.
struct GatewayClient: Sendable {
    /// Bytes of an answer at most.
    private static let limit = 1 << 30
    /// Things of a page of a list, as many as every list gives.
    private static let pageSize = "200"

    /// Such as `http://127.0.0.1:8080`.
    let base: String
    private let token: String
    /// Whether somebody named it, rather than that it was found here.
    private let isNamed: Bool
    private let http = HTTPClient()

    init(base: String, token: String, isNamed: Bool) {
        (self.base, self.token, self.isNamed) = (base, token, isNamed)
    }

    /// The JSON of an answer; parameters that are `nil` are left out, and parts of the path that a person
    /// names are written by ``part(_:)``.
    ///
    /// - Throws: ``CommandFailure``.
    func get(_ path: String, _ query: [(String, String?)] = []) async throws -> JSONValue {
        try Self.json(try await send("GET", path, query))
    }

    /// All things of a list, or as many as the limit says, page by page.
    ///
    /// - Throws: ``CommandFailure``.
    func list(
        _ path: String, _ query: [(String, String?)] = [], limit: Int? = nil
    ) async throws -> [JSONValue] {
        var items: [JSONValue] = []
        var cursor: String?
        repeat {
            let page = try await get(path, query + [("limit", Self.pageSize), ("cursor", cursor)])
            items += page["items"]?.elements ?? []
            cursor = page["next"]?.text
        } while cursor != nil && items.count < limit ?? .max
        return limit.map { Array(items.prefix($0)) } ?? items
    }

    /// Sends a body, and reads the answer; `null` where it has none.
    ///
    /// A POST has a key of its own, so that a repetition by libcurl does not do it twice.
    ///
    /// - Throws: ``CommandFailure``.
    @discardableResult
    func send(
        _ method: String, _ path: String, _ query: [(String, String?)] = [], json: JSONValue?,
        timeout: Duration = .seconds(600)
    ) async throws -> JSONValue {
        let type = json == nil ? nil : "application/json"
        return try Self.json(
            try await send(method, path, query, body: json?.bytes, type: type, timeout: timeout))
    }

    /// Sends bytes of a media type, and gives the answer's; further headers are such as `If-Match`.
    ///
    /// - Throws: ``CommandFailure`` for every status but 2xx.
    @discardableResult
    func send(
        _ method: String, _ path: String, _ query: [(String, String?)] = [], body: [UInt8]? = nil,
        type: String? = nil, headers: [(name: String, value: String)] = [], timeout: Duration = .seconds(600)
    ) async throws -> [UInt8] {
        let pairs = query.compactMap { name, value in value.map { "\(name)=\(Self.part($0))" } }
        let url = base + path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
        var fields = headers + [("Authorization", "Bearer \(token)"), ("Accept", "application/json, */*")]
        if let type { fields.append(("Content-Type", type)) }
        if method == "POST" { fields.append(("Idempotency-Key", Self.newKey())) }
        let response: HTTPResponse
        do throws(WebError) {
            response = try await http.send(
                method, url, headers: fields, body: body, timeout: timeout, maximumBytes: Self.limit)
        } catch {
            throw unreachable(error)
        }
        guard (200..<300).contains(response.status) else { throw GatewayProblem(response).failure }
        return response.body
    }

    /// A part of a path, or a value of a query, as a URL has it.
    static func part(_ text: String) -> String { PercentText.encoded(text) }

    private func unreachable(_ error: WebError) -> CommandFailure {
        if case .cancelled = error { return CommandFailure(.failed, "cancelled") }
        let advice =
            isNamed ? "look at BITPAL_URL" : "is `bitpal up` running? Else set BITPAL_URL and BITPAL_TOKEN"
        return CommandFailure(.unreachable, "the gateway at \(base) does not answer (\(error)); \(advice)")
    }

    private static func json(_ bytes: [UInt8]) throws -> JSONValue {
        guard !bytes.isEmpty else { return .null }
        do {
            return try JSONValue(bytes[...], depthLimit: 64)
        } catch {
            throw CommandFailure(.failed, "the gateway's answer is no JSON: \(error)")
        }
    }

    private static func newKey() -> String {
        var random = SystemRandomNumberGenerator()
        return UniqueID(version7At: 0, using: &random).description
    }
}

/// What a gateway answers instead of what was asked for (RFC 9457).
struct GatewayProblem {
    let status: Int
    let detail: String
    let field: String?
    /// Of a file that is refused: what else is to be said of its lines.
    let remarks: [String]
    /// Whether an instrument is well written, but no market has it.
    let isUnknownInstrument: Bool

    init(_ response: HTTPResponse) {
        let body = try? JSONValue(response.body[...], depthLimit: 16)
        status = response.status
        detail = body?["detail"]?.text ?? "the gateway answered \(response.status)"
        field = body?["field"]?.text
        remarks = body.map { ImportPage(report: $0).remarks } ?? []
        isUnknownInstrument =
            field?.split(separator: ".").last == "instrument"
            && body?["accepted"]?.text?.hasPrefix("an instrument that is known") == true
    }

    /// The end of a command.
    var failure: CommandFailure {
        switch status {
        case 401: CommandFailure(.failed, "\(detail); see BITPAL_TOKEN, or start `bitpal up` again")
        case 404: CommandFailure(.notFound, detail)
        case 502, 503, 504: CommandFailure(.unreachable, detail)
        case 422 where isUnknownInstrument: CommandFailure(.notFound, detail)
        default: CommandFailure(.failed, detail, remarks: remarks)
        }
    }
}
