import Foundation
import JSON

@testable import GatewayAPI

/// The file that describes the API.
struct OpenAPIFile {
    /// A route as the file describes it.
    struct Operation {
        /// Such as `GET /v1/tickers`.
        let name: String
        let method: String
        let path: String
        fileprivate let members: JSONValue
    }

    /// The folder of the page, which the file is part of.
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("web").path

    let text: String
    let operations: [Operation]
    private let root: JSONValue

    /// Reads it.
    init() throws {
        text = try String(contentsOfFile: Self.folder + "/openapi.yaml", encoding: .utf8)
        root = try YAMLReader.read(text)
        operations = (root.at("paths")?.members ?? [:]).sorted { $0.key < $1.key }.flatMap { path, methods in
            methods.members.sorted { $0.key < $1.key }.map { method, members in
                Operation(
                    name: "\(method.uppercased()) \(path)", method: method.uppercased(), path: path,
                    members: members)
            }
        }
    }

    /// Who may use a route: each way in, as scheme and scopes; an empty one for nobody in particular.
    func security(of operation: Operation) -> [[String: [String]]] {
        (operation.members.at("security") ?? root.at("security") ?? .null).items.map { way in
            way.members.mapValues { scopes in scopes.items.compactMap(\.plainText) }
        }
    }

    /// The names of a route's parameters in a place: `query`, `header` or `path`.
    func parameters(of operation: Operation, in place: String) -> Set<String> {
        let all = (operation.members.at("parameters")?.items ?? []).map(followed)
        return Set(all.filter { $0.at("in")?.plainText == place }.compactMap { $0.at("name")?.plainText })
    }

    /// The statuses of a route's answers, with the contents of each by media type.
    func answers(of operation: Operation) -> [String: [String: JSONValue]] {
        (operation.members.at("responses")?.members ?? [:]).mapValues { answer in
            followed(answer).at("content")?.members ?? [:]
        }
    }

    /// What a route's request may hold, by media type; `nil` where it has no body.
    func body(of operation: Operation) -> [String: JSONValue]? {
        operation.members.at("requestBody").map { followed($0).at("content")?.members ?? [:] }
    }

    /// What a reference leads to.
    private func followed(_ value: JSONValue) -> JSONValue {
        guard let reference = value.at("$ref")?.plainText else { return value }
        let steps = reference.split(separator: "/").dropFirst().map(String.init)
        return followed(steps.reduce(root) { value, step in value.at(step) ?? .null })
    }
}

extension JSONValue {
    /// A member of an object.
    func at(_ name: String) -> JSONValue? { members[name] }

    /// The members of an object; none of anything else.
    var members: [String: JSONValue] {
        if case .object(let members) = self { members.dictionary } else { [:] }
    }

    /// The items of an array; none of anything else.
    var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }

    /// What text says.
    var plainText: String? { if case .string(let text) = self { text } else { nil } }
}
