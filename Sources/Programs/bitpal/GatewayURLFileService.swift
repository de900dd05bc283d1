import GatewayAPI
import Operations
import OperatorCommands
import ServiceLifecycle

/// Says in the data directory where the gateway listens, as long as it does, so that commands find it.
struct GatewayURLFileService: Service {
    let gateway: Gateway.Assembly
    let hasTLS: Bool
    let directory: String

    /// Runs until the process stops.
    ///
    /// - Throws: `ConfigurationError` when the directory cannot be written.
    func run() async throws {
        // Whoever cannot listen says so himself, and better.
        guard let address = try? await cancelWhenGracefulShutdown({ try await gateway.bound() }) else {
            return try await gracefulShutdown()
        }
        let url = url(at: address)
        do {
            try GatewayURLFile.write(url, in: directory)
        } catch {
            throw ConfigurationError.unavailable("\(error)", advice: "name another place with --data-dir")
        }
        try? await gracefulShutdown()
        GatewayURLFile.remove(url, in: directory)
    }

    /// A certificate is of a name; else no name need be looked up.
    private func url(at address: NetworkAddress) -> String {
        guard !hasTLS else { return gateway.page(at: address) }
        let host =
            switch address.host {
            case "0.0.0.0", "localhost": "127.0.0.1"
            case "::": "::1"
            default: address.host
            }
        return "http://\(NetworkAddress(host: host, port: address.port))"
    }
}
