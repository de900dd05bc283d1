import ArgumentParser
import JSON
import Store

extension GatewayClient {
    /// A rule of who asks, also a deleted one.
    ///
    /// - Throws: ``CommandFailure``.
    func rule(_ id: String) async throws -> JSONValue {
        try await get(RuleArguments.path(of: id), [("deleted", "true")])
    }
}

/// Some rules by their ids.
struct RuleArguments: ParsableArguments {
    @Argument(help: "Ids, as `bitpal alert list` shows them.")
    var ids: [String]

    /// Does something to all of them or none.
    ///
    /// - Parameters:
    ///   - action: A word of the API.
    ///   - more: What else it is told.
    ///   - client: Asks.
    /// - Returns: The rules as they are then.
    /// - Throws: ``CommandFailure``.
    func change(
        _ action: String, _ more: JSONObject = [:], by client: GatewayClient
    ) async throws -> [JSONValue] {
        var body: JSONObject = [
            "ids": .array(try ids.map { .string(try Self.key($0).description) }), "action": .string(action),
        ]
        for member in more { body[member.key] = member.value }
        return try await client.send("POST", "/v1/alerts/bulk", json: .object(body))["items"]?.elements ?? []
    }

    /// The path of a rule, such as `/v1/alerts/0190163d-8694-739b-aea5-966c26f8ad91`.
    ///
    /// - Throws: ``CommandFailure`` for what cannot be an id.
    static func path(of id: String) throws -> String { "/v1/alerts/\(try key(id))" }

    private static func key(_ text: String) throws -> UniqueID {
        guard let key = UniqueID(text.lowercased()) else {
            throw CommandFailure(
                .notFound, "there is no rule \"\(text)\"; ids are UUIDs, as `bitpal alert list` shows them")
        }
        return key
    }
}
