import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// Serves `/metrics`, `/health/live`, `/health/ready` and `/health/fresh` over HTTP/1.1.
///
/// Bounds: 64 connections, 10 s of silence each, requests without a body to speak of. Who may not ask is hung
/// up on.
package struct OperationsServer: Service {
    private static let connectionLimit = 64

    private let listener: any Channel
    private let connections: OpenConnections
    /// Where it listens, with the port that the system chose.
    package let address: NetworkAddress

    /// Binds the address, so that a port in use is found before anything else starts.
    ///
    /// - Parameters:
    ///   - address: Where to listen.
    ///   - setting: What an operator changes to listen elsewhere, for the error.
    ///   - clients: Whom it answers.
    ///   - responder: The answers.
    ///   - group: Where the connections live.
    /// - Returns: The server, bound but not yet running.
    /// - Throws: ``ConfigurationError/portInUse(_:setting:)`` or
    ///   ``ConfigurationError/unavailable(_:advice:)``.
    static func bind(
        _ address: NetworkAddress, setting: String, to clients: OperationsClients,
        responder: OperationsResponder, group: any EventLoopGroup
    ) async throws(ConfigurationError) -> OperationsServer {
        let connections = OpenConnections(limit: connectionLimit)
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 64)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard clients.admit(channel.remoteAddress), connections.admit(channel) else {
                        throw ChannelError.ioOnClosedChannel
                    }
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(IdleStateHandler(allTimeout: .seconds(10)))
                    try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
                    try pipeline.addHandler(OperationsExchange(responder: responder))
                }
            }
        do {
            let listener = try await bootstrap.bind(host: address.host, port: address.port).get()
            let port = listener.localAddress?.port ?? address.port
            return OperationsServer(
                listener: listener, connections: connections,
                address: NetworkAddress(host: address.host, port: port))
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw .portInUse("\(address)", setting: setting)
        } catch {
            throw .unavailable("cannot listen on \(address): \(reason(error))", advice: "set \(setting)")
        }
    }

    /// Serves until graceful shutdown or cancellation, then closes every connection.
    package func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            // Ends when somebody closes it, with whatever outcome.
            _ = try? await listener.closeFuture.get()
        } onCancelOrGracefulShutdown: {
            close()
        }
    }

    /// Stops listening and closes every connection.
    func close() {
        listener.close(promise: nil)
        connections.closeAll()
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? IOError else { return "\(error)" }
        return String(cString: strerror(error.errnoCode))
    }
}
