import JSON

extension GatewayClient {
    /// A watchlist of who asks, by its name.
    ///
    /// - Throws: ``CommandFailure`` with the nearest names when there is none.
    func watchlist(_ name: String) async throws -> JSONValue {
        let all = try await list("/v1/watchlists")
        if let list = all.first(where: { $0.text("name") == name }) { return list }
        let known = all.map { $0.text("name") }
        let hint =
            known.isEmpty
            ? "`bitpal watchlist create NAME` makes one" : PortfolioNames.hint(name, among: known)
        throw CommandFailure(.notFound, "there is no watchlist \"\(name)\"; \(hint)")
    }

    /// The path of a watchlist by its name, such as
    /// `/v1/watchlists/0190163d-8694-739b-aea5-966c26f8ad91`.
    ///
    /// - Throws: ``CommandFailure``.
    func watchlistPath(_ name: String) async throws -> String {
        "/v1/watchlists/\(try await watchlist(name).text("id"))"
    }
}
