import AccountStore
import GatewayFrame
import GatewayStream
import Hummingbird
import Instruments
import Operations

/// The door for people and apps: the HTTP API, the stream and the web page.
///
/// Owns no table but its own `gateway`: it calls the statements of the modules that do. Bounds every request
/// (size, time, rate) and every client's queue.
///
/// Each area adds its routes in a file of its own, and is named in ``addRoutes(to:)``.
package struct Gateway: Sendable {
    let services: GatewayServices
    /// Finds out who asks.
    var identify: RequestAdmission.Identify = { _, _ in nil }
    /// Who may sign in, and how; `nil` where nobody can.
    var accounts: AccountService?
    /// Tells changes as they come.
    var stream: StreamHub?
    /// Further routes, such as those by which tests see what all routes have in common.
    var addFurtherRoutes: @Sendable (RouteTable) -> Void = { _ in }
    /// The page's files; without them there is only the API.
    var web: WebFolder?
    /// What is known of the moment.
    var live: LiveMarket

    init(_ services: GatewayServices) {
        self.services = services
        live = LiveMarket(services.market)
    }

    /// Every route of the gateway, and what they say of themselves.
    func routes() -> RouteTable {
        let table = RouteTable(admission: admission)
        addRoutes(to: table)
        DocumentRoutes(OpenAPIDocument(table)).add(to: table)
        return table
    }

    /// What every request passes.
    var admission: RequestAdmission { RequestAdmission(identify: identify, services: services.requests) }

    /// A server of its routes and its stream; `setting` is what an operator changes to listen elsewhere.
    ///
    /// - Throws: As ``GatewayServer``.
    func server(setting: String) throws(ConfigurationError) -> GatewayServer {
        try GatewayServer(routes(), services.requests, upgrade: streamUpgrade, setting: setting)
    }

    /// The areas.
    private func addRoutes(to routes: RouteTable) {
        HealthRoutes(services.requests.health).add(to: routes)
        addOwnedRoutes(to: routes)
        addTellingRoutes(to: routes)
        addAccountAreaRoutes(to: routes)
        addMarketRoutes(to: routes)
        if let stream { StreamRoutes(stream, services.requests).add(to: routes) }
        addFurtherRoutes(routes)
        if let web { WebRoutes(folder: web).add(to: routes) }
    }
}
