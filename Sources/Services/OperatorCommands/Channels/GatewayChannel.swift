import JSON

extension GatewayClient {
    /// A channel of who asks, by its name.
    ///
    /// - Throws: ``CommandFailure`` when there is none of that name.
    func channel(_ name: String) async throws -> JSONValue {
        let all = try await list("/v1/channels")
        guard let channel = all.first(where: { $0.text("name") == name }) else {
            throw CommandFailure(
                .notFound, "there is no channel \"\(name)\"; `bitpal channel list` shows those that there are"
            )
        }
        return channel
    }

    /// The path of a channel by its name, such as `/v1/channels/0190163d-8694-739b-aea5-966c26f8ad91`.
    ///
    /// - Throws: ``CommandFailure``.
    func channelPath(_ name: String) async throws -> String {
        "/v1/channels/\(try await channel(name).text("id"))"
    }
}
