import JSON

@testable import GatewayAPI

extension OpenAPIFile {
    /// What is wrong with an answer by what the document says of its route, status and type; nothing where it
    /// is as promised.
    ///
    /// - Parameters:
    ///   - answer: What came.
    ///   - method: How it was asked for.
    ///   - path: The route's path, such as `/v1/alerts/{id}`.
    /// - Returns: A line for each fault.
    /// - Throws: What is no JSON, though it says so.
    func faults(_ answer: TestAnswer, _ method: String, _ path: String) throws -> [String] {
        let name = "\(method) \(path)"
        guard let operation = operations.first(where: { $0.name == name }) else {
            return ["\(name) is not described"]
        }
        guard let contents = answers(of: operation)["\(answer.status)"] else {
            return ["\(name): \(answer.status) is not described: \(answer.text.prefix(200))"]
        }
        guard let type = answer.header("content-type")?.split(separator: ";").first.map(String.init) else {
            return contents.isEmpty && answer.body.isEmpty ? [] : ["\(name): \(answer.status) has no type"]
        }
        guard let content = contents[type] else {
            return ["\(name): \(answer.status) is \(type), described is \(contents.keys.sorted())"]
        }
        guard type.hasSuffix("json") else { return [] }
        let value = try JSONValue(answer.body[...], depthLimit: 64)
        return SchemaCheck(root: root).faults(value, content.at("schema") ?? .object([:]), at: name)
    }
}

extension TestClient {
    /// As `ask`, and what came is held to the document.
    ///
    /// - Parameters:
    ///   - method: Such as `POST`.
    ///   - route: The route's path, such as `/v1/alerts/{id}`.
    ///   - path: What stands for it here; `nil` for a route without names in its path.
    ///   - json: The body.
    ///   - file: The document.
    /// - Returns: The answer, and what is wrong with it.
    /// - Throws: As `ask`.
    func ask(
        _ method: String, _ route: String, at path: String? = nil, json: String? = nil,
        documentedBy file: OpenAPIFile
    ) async throws -> (answer: TestAnswer, faults: [String]) {
        let answer = try await ask(method, path ?? route, json: json)
        return (answer, try file.faults(answer, method, route))
    }
}
