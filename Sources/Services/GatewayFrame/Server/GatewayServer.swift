import Glibc
import Hosting
import Hummingbird
import HummingbirdCore
import Instruments
import Logging
import NIOCore
package import Operations
import ServiceLifecycle
import Synchronization
import Web

/// Serves routes until it is asked to stop.
package final class GatewayServer: Service {
    private let application: Application<GatewayResponder>
    private let configuration: ServerConfiguration
    private let setting: String
    private let health: HealthComponent
    private let listening: BoundAddress
    /// `nil` without TLS.
    private let certificate: ServerCertificate?

    /// Prepares a server; nothing listens before ``run()``.
    ///
    /// - Parameters:
    ///   - routes: What is served.
    ///   - services: What every request passes works with.
    ///   - upgrade: What connections may become besides; `nil` for nothing.
    ///   - setting: What an operator changes to listen elsewhere, for the error.
    /// - Throws: `ConfigurationError` for a certificate that cannot be used.
    package init(
        _ routes: RouteTable, _ services: RequestServices, upgrade: ConnectionUpgrade?, setting: String
    ) throws(ConfigurationError) {
        configuration = services.configuration
        self.setting = setting
        health = services.health.component("http")
        let listening = BoundAddress()
        self.listening = listening
        let health = health
        let certificate = try configuration.tls.map { files throws(ConfigurationError) in
            try ServerCertificate(files, logger: services.logger, clock: services.clock)
        }
        self.certificate = certificate
        application = Application(
            responder: GatewayResponder(routes, monotonic: { MonotonicClock.nanoseconds() }),
            server: Self.builder(configuration, upgrade, certificate),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.address.host, port: configuration.address.port),
                backlog: 1_024,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    configuration.connectionLimit, logger: services.logger)),
            onServerRunning: { channel in
                listening.resolve(.success(channel.localAddress?.port ?? 0))
                health.setReady(true)
            },
            eventLoopGroupProvider: .shared(services.frame.eventLoopGroup), logger: services.logger.quiet)
    }

    /// Listens and serves until graceful shutdown or cancellation.
    ///
    /// - Throws: `ConfigurationError` when it cannot listen.
    package func run() async throws {
        defer { health.setReady(false, "stopped") }
        OpenFiles.raiseLimit()
        do {
            try await serve()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw fail(.portInUse("\(configuration.address)", setting: setting))
        } catch let error as IOError {
            let reason = String(cString: strerror(error.errnoCode))
            throw fail(
                .unavailable(
                    "cannot listen on \(configuration.address): \(reason)", advice: "set \(setting)"))
        }
        listening.resolve(.failure(.unavailable("the server has stopped", advice: "start it again")))
    }

    private func serve() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let certificate {
                group.addTask { await cancelWhenGracefulShutdown { await certificate.watch() } }
            }
            // Not a child: who watches ends first, and nobody is to be cut off by that.
            try await application.run()
            group.cancelAll()
        }
    }

    /// Where it listens, with the port that the system chose; waits for ``run()``.
    ///
    /// - Throws: `ConfigurationError` when it cannot listen.
    package func bound() async throws(ConfigurationError) -> NetworkAddress {
        NetworkAddress(host: configuration.address.host, port: try await listening.value())
    }

    private func fail(_ error: ConfigurationError) -> ConfigurationError {
        listening.resolve(.failure(error))
        return error
    }

    private static func builder(
        _ configuration: ServerConfiguration, _ upgrade: ConnectionUpgrade?,
        _ certificate: ServerCertificate?
    ) -> HTTPServerBuilder {
        let places = ConnectionLimit(configuration)
        return HTTPServerBuilder { responder in
            let plain = GatewayChannel(
                responder: responder, upgrade: upgrade, idleTimeout: configuration.idleTimeout,
                places: places)
            guard let certificate else { return plain }
            return SecuredChannel(plain: plain, certificate: certificate)
        }
    }
}

/// The port, once it is known.
private final class BoundAddress: Sendable {
    typealias Waiter = CheckedContinuation<Result<Int, ConfigurationError>, Never>

    private enum State {
        case waiting([Waiter])
        case known(Result<Int, ConfigurationError>)
    }

    private let state = Mutex(State.waiting([]))

    func resolve(_ result: Result<Int, ConfigurationError>) {
        let waiters = state.withLock { state -> [Waiter] in
            guard case .waiting(let waiters) = state else { return [] }
            state = .known(result)
            return waiters
        }
        for waiter in waiters { waiter.resume(returning: result) }
    }

    func value() async throws(ConfigurationError) -> Int {
        let result = await withCheckedContinuation { continuation in
            let known = state.withLock { state -> Result<Int, ConfigurationError>? in
                switch state {
                case .known(let result): return result
                case .waiting(let waiters):
                    state = .waiting(waiters + [continuation])
                    return nil
                }
            }
            if let known { continuation.resume(returning: known) }
        }
        return try result.get()
    }
}

extension Logger {
    /// Hummingbird's own chatter is not for operators.
    fileprivate var quiet: Logger {
        var logger = self
        if logger.logLevel < .warning { logger.logLevel = .warning }
        return logger
    }
}
