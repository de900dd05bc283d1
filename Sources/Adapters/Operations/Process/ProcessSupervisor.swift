import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

/// Runs the services of a process under its signals and its limits for stopping.
///
/// Two groups: the outer one owns the signals from the first moment, so that a SIGTERM while the services are
/// being assembled (a database that does not answer) stops the process too; the inner one runs the services
/// and is told to stop by the outer.
struct ProcessSupervisor: Service {
    /// The process itself, as a component of its health.
    static let component = "process"

    private let process: ServiceProcess
    private let server: OperationsServer
    private let assemble: @Sendable (ServiceProcess) async throws -> [any Service]
    private let deadline: StopDeadline

    init(
        process: ServiceProcess, server: OperationsServer,
        assemble: @escaping @Sendable (ServiceProcess) async throws -> [any Service]
    ) {
        self.process = process
        self.server = server
        self.assemble = assemble
        deadline = StopDeadline(
            graceful: process.settings[SharedSettings.stopTimeout], logger: process.logger,
            lastDeeds: process.lastDeeds)
    }

    /// Returns after a signal and a stop in time; throws what a service threw.
    func run() async throws {
        var outer = ServiceGroupConfiguration(
            services: [
                .init(service: Body(supervisor: self), successTerminationBehavior: .gracefullyShutdownGroup)
            ],
            gracefulShutdownSignals: Self.signals, logger: quiet)
        outer.maximumGracefulShutdownDuration = deadline.graceful
        try await ServiceGroup(configuration: outer).run()
    }

    /// SIGHUP comes when the terminal is closed; whoever was started with `nohup` ignores it, and goes on.
    private static var signals: [UnixSignal] {
        var action = sigaction()
        sigaction(SIGHUP, nil, &action)
        // SAFETY: a comparison of two C function pointers by their bits; SIG_IGN is no function.
        let isIgnored = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
        return isIgnored ? [.sigterm, .sigint] : [.sigterm, .sigint, .sighup]
    }

    /// The groups talk about their own business in `debug`; our lines say what an operator needs.
    private var quiet: Logger {
        var logger = process.logger
        logger.logLevel = max(logger.logLevel, .warning)
        return logger
    }

    private struct Body: Service {
        let supervisor: ProcessSupervisor

        func run() async throws {
            try await withGracefulShutdownHandler {
                try await supervisor.assembleAndRun()
            } onGracefulShutdown: {
                supervisor.process.logger.notice("Stopping")
                supervisor.process.health.component(ProcessSupervisor.component).setReady(false, "stopping")
                supervisor.deadline.arm()
            }
        }
    }

    private func assembleAndRun() async throws {
        let services: [any Service]
        do {
            services = try await cancelWhenGracefulShutdown { try await assemble(process) }
        } catch {
            // Stopped while being assembled: that is what the signal asked for.
            if Task.isShuttingDownGracefully { return }
            throw error
        }
        process.health.component(Self.component).setReady(true)
        process.logger.notice(
            "Started", metadata: ["instance": "\(process.instance)", "operations": "\(server.address)"])
        let watched = ([server] + services).map { service in
            ServiceGroupConfiguration.ServiceConfiguration(
                service: WatchedService(service: service, deadline: deadline),
                serviceName: "\(type(of: service))")
        }
        try await ServiceGroup(configuration: ServiceGroupConfiguration(services: watched, logger: quiet))
            .run()
        // Cancelled because the stop took too long, although every service then ended without an error.
        if Task.isCancelled { throw ProcessFailure.notStopped("a service", after: deadline.graceful) }
    }
}

/// A service whose end starts the clock for all others: they are stopped then, and one may hang.
private struct WatchedService: Service {
    let service: any Service
    let deadline: StopDeadline

    private var name: String { "\(type(of: service))" }

    func run() async throws {
        deadline.began(name)
        defer { deadline.ended(name) }
        do {
            try await service.run()
            // A service that is not asked to stop runs for ever.
            guard Task.isShuttingDownGracefully || Task.isCancelled else {
                throw ProcessFailure.serviceEnded(name)
            }
            deadline.arm()
        } catch {
            let cause = explained(error)
            deadline.arm(because: cause)
            throw cause
        }
    }

    private func explained(_ error: any Error) -> any Error {
        switch error {
        case is ConfigurationError, is ProcessFailure: error
        case is CancellationError where Task.isShuttingDownGracefully:
            ProcessFailure.notStopped(name, after: deadline.graceful)
        default: ProcessFailure.serviceFailed(name, error)
        }
    }
}

/// Why a process ends with status 70.
enum ProcessFailure: Error, CustomStringConvertible {
    /// A service threw.
    case serviceFailed(String, any Error)
    /// A service returned although nobody asked it to stop.
    case serviceEnded(String)
    /// A service had to be cancelled, because it did not stop when asked.
    case notStopped(String, after: Duration)

    var description: String {
        switch self {
        case .serviceFailed(let name, let error): "\(name) failed: \(error)"
        case .serviceEnded(let name): "\(name) ended by itself"
        case .notStopped(let name, let limit): "\(name) did not stop within \(limit) and was cancelled"
        }
    }
}
