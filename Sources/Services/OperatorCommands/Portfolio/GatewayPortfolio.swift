import JSON

extension GatewayClient {
    /// A portfolio of who asks, by its name.
    ///
    /// - Throws: ``CommandFailure`` with the nearest names when there is none.
    func portfolio(_ name: String) async throws -> JSONValue {
        let all = try await list("/v1/portfolios")
        if let portfolio = all.first(where: { $0.text("name") == name }) { return portfolio }
        let known = all.map { $0.text("name") }
        throw CommandFailure(
            .notFound, "there is no portfolio \"\(name)\"; \(PortfolioNames.hint(name, among: known))")
    }

    /// The path of a portfolio by its name, such as `/v1/portfolios/0190163d-8694-739b-aea5-966c26f8ad91`.
    ///
    /// - Throws: ``CommandFailure``.
    func path(of name: String) async throws -> String {
        "/v1/portfolios/\(try await portfolio(name).text("id"))"
    }
}
