import Foundation
import HTTPTypes
import JSON

@testable import GatewayAPI
@testable import GatewayFrame

/// What the API says of itself, as a gateway with all its areas makes and serves it.
struct OpenAPIFile {
    /// A route as the document describes it.
    struct Operation {
        /// Such as `GET /v1/tickers`.
        let name: String
        let method: String
        let path: String
        fileprivate let members: JSONValue

        /// Names it for clients.
        var id: String? { members.at("operationId")?.plainText }
    }

    /// A value that the document shows, and what it says of such values.
    struct Example {
        /// Such as `GET /v1/tickers: 200 as application/json`.
        var place: String
        var value: JSONValue
        var schema: JSONValue
    }

    private static let tree = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    /// The folder of the page.
    static let folder = tree.appendingPathComponent("web").path
    /// Where the document lies in the tree, so that a change of it is seen.
    static let committed = tree.appendingPathComponent("services/gateway/openapi.yaml").path

    let json: [UInt8]
    let yaml: String
    /// Names of bodies that are not the same everywhere.
    let collisions: [String]
    /// What each route asks of a request, by names such as `GET /v1/tickers`.
    let rules: [String: RouteRules]
    let operations: [Operation]
    let root: JSONValue

    /// Makes it.
    init() throws {
        let table = try GatewayFixture.idle().routes()
        let document = OpenAPIDocument(table)
        (json, yaml, collisions) = (document.json, document.yaml, document.collisions)
        root = try JSONValue(json[...], depthLimit: 64)
        rules = Dictionary(
            uniqueKeysWithValues: table.rules.map { ("\($0.key.method.rawValue) \($0.key.path)", $0.value) })
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

    /// The names of a route's parameters in a place, `query`, `header` or `path`, in their order.
    func parameters(of operation: Operation, in place: String) -> [String] {
        parameters(of: operation).filter { $0.at("in")?.plainText == place }
            .compactMap { $0.at("name")?.plainText }
    }

    private func parameters(of operation: Operation) -> [JSONValue] {
        (operation.members.at("parameters")?.items ?? []).map(followed)
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

    /// Every example of a route.
    func examples(of operation: Operation) -> [Example] {
        var shown = parameters(of: operation).map { parameter in
            ("the parameter \(parameter.at("name")?.plainText ?? "")", parameter)
        }
        shown += (body(of: operation) ?? [:]).map { ("the body as \($0)", $1) }
        for (status, contents) in answers(of: operation) {
            shown += contents.map { ("\(status) as \($0)", $1) }
        }
        return shown.sorted { $0.0 < $1.0 }.flatMap { place, content in
            let several = content.at("examples")?.members.values.compactMap { $0.at("value") } ?? []
            return (several + [content.at("example")].compactMap { $0 }).map { value in
                Example(
                    place: "\(operation.name): \(place)", value: value,
                    schema: content.at("schema") ?? .object([:]))
            }
        }
    }

    /// Every reference that leads nowhere.
    var danglingReferences: [String] {
        var (found, rest): (Set<String>, [JSONValue]) = ([], [root])
        while let value = rest.popLast() {
            if let reference = value.at("$ref")?.plainText, root.at(reference: reference) == nil {
                found.insert(reference)
            }
            rest += value.items + value.members.values
        }
        return found.sorted()
    }

    /// What a reference leads to.
    private func followed(_ value: JSONValue) -> JSONValue {
        guard let reference = value.at("$ref")?.plainText else { return value }
        return followed(root.at(reference: reference) ?? .null)
    }
}

extension JSONValue {
    /// A member of an object.
    func at(_ name: String) -> JSONValue? { members[name] }

    /// What a reference such as `#/components/schemas/Problem` leads to.
    func at(reference: String) -> JSONValue? {
        guard reference.hasPrefix("#/") else { return nil }
        return reference.dropFirst(2).split(separator: "/").reduce(self) { value, step in
            value?.at(String(step))
        }
    }

    /// The members of an object; none of anything else.
    var members: [String: JSONValue] {
        if case .object(let members) = self { members.dictionary } else { [:] }
    }

    /// The items of an array; none of anything else.
    var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }

    /// What text says.
    var plainText: String? { if case .string(let text) = self { text } else { nil } }
}
