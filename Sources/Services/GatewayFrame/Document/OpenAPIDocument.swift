import HTTPTypes
import JSON
import Shapes
import Version

/// What the API says of itself (OpenAPI 3.1), made of its routes and of what they take and give.
package struct OpenAPIDocument: Sendable {
    let root: DocumentNode
    /// Names that several bodies have, which are not the same: of these the document shows only one.
    let collisions: [String]

    /// Describes the routes of a table.
    package init(_ table: RouteTable) {
        var paths: [DocumentNode.Member] = []
        var bodies: [any Described.Type] = [Problem.self]
        for tag in Operation.Tag.allCases {
            for name in table.names {
                guard let document = table.documents[name], document.operation.tag == tag,
                    let rules = table.rules[name]
                else { continue }
                bodies += document.bodies
                let operation = DocumentNode.Member(
                    name.method.rawValue.lowercased(), document.node(name, rules))
                if let place = paths.firstIndex(where: { $0.name == name.path }) {
                    paths[place].value = paths[place].value.adding([operation])
                } else {
                    paths.append(.init(name.path, .object([operation])))
                }
            }
        }
        let documents = Self.documents(bodies)
        collisions = documents.filter { $0.value.count > 1 }.keys.sorted()
        root = [
            "openapi": "3.1.0", "info": Self.info,
            "servers": [["url": "/", "description": "The gateway that serves this file."]],
            "tags": .list(
                Operation.Tag.allCases.map {
                    ["name": .text($0.rawValue), "description": .text($0.text)]
                }), "security": [["session": []], ["token": []]], "paths": .object(paths),
            "components": Self.components(documents.compactMapValues(\.first)),
        ]
    }

    /// As JSON.
    var json: [UInt8] {
        var writer = JSONWriter()
        root.write(to: &writer)
        return writer.bytes
    }

    var yaml: String {
        "# Made of the gateway's routes by `make openapi`; a change here is lost.\n" + YAMLText.of(root)
    }

    private static let info: DocumentNode = [
        "title": "Bitpal", "version": .text(ProductVersion.number),
        "summary": "Market data, watchlists, alerts and portfolios.",
        "description": .text(
            """
            Prices and amounts are strings, times are ISO 8601 in UTC, instruments are written VENUE:SYMBOL.
            Lists are pages: ask with limit and cursor, go on with "next" until it is null.
            What is refused or fails is a problem (RFC 9457) with a stable code; a field that no route knows \
            is refused.
            Every POST by which somebody makes something takes an Idempotency-Key: the same key with the \
            same body gives the first answer again, within a day, and waits for a first request that is not \
            done. Key, action and answer are one transaction: what was answered with 503, or not at all, is \
            made once however often it is asked for. Of making an account it gives the account again, with \
            a session of its own.
            What is asked for too often is refused with 429 and Retry-After; the RateLimit headers tell how \
            much is left.
            On loopback, and wherever page.url is set, only the installation's own hosts are served: a \
            request for another one is refused with 421 wrong-host, except at /health. An address with too \
            many connections is told so with 503.
            """),
    ]

    private static func components(_ schemas: [String: BodyDocument]) -> DocumentNode {
        [
            "securitySchemes": [
                "session": [
                    "type": "apiKey", "in": "cookie", "name": "__Host-bitpal",
                    "description": "The cookie of somebody who has signed in.",
                ],
                "token": [
                    "type": "http", "scheme": "bearer",
                    "description": "An API token: cm_<id>_<secret>; its scopes say what it may do.",
                ],
            ],
            "headers": [
                "ETag": [
                    "description": "Names these bytes; send it back in If-None-Match.",
                    "schema": ["type": "string"],
                ],
                "RetryAfter": [
                    "description": "Seconds after which it may go well.",
                    "schema": ["type": "integer", "minimum": 1],
                ],
                "SetCookie": ["description": "The session's cookie.", "schema": ["type": "string"]],
            ],
            "responses": .object(ProblemAnswer.allCases.map { .init($0.rawValue, $0.node) }),
            "schemas": .object(
                schemas.sorted { $0.key < $1.key }.map { .init($0.key, $0.value.node) }),
        ]
    }

    /// The bodies that routes speak of, and those inside of them, by name; each that is another one once.
    private static func documents(_ first: [any Described.Type]) -> [String: [BodyDocument]] {
        var (found, seen): ([String: [BodyDocument]], Set<ObjectIdentifier>) = ([:], [])
        var rest = Array(first.reversed())
        while let type = rest.popLast() {
            guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
            let document = type.document
            let isKnown = found[document.name]?.contains { $0.node == document.node } ?? false
            if !isKnown { found[document.name, default: []].append(document) }
            rest += document.bodies
        }
        return found
    }
}
