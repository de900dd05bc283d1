import Glibc
import Logging
import NIOPosix
import ServiceLifecycle
import Version

/// One start of a process: from arguments to exit status.
struct ProcessLaunch: Sendable {
    let name: String
    let keys: [ConfigurationKey]
    let arguments: [String]
    let overrides: [String: String]
    var options: [ProcessOption] = []

    func run(assemble: @escaping @Sendable (ServiceProcess) async throws -> [any Service]) async -> ExitStatus
    {
        // A peer that hangs up is an error of one write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        do {
            let arguments = try ProcessArguments(arguments, options: options)
            guard !arguments.asksForHelp else {
                try help()
                return .success
            }
            guard !arguments.asksForVersion else {
                Swift.print("\(name) \(ProductVersion.text)")
                return .success
            }
            return await serve(try configured(arguments), assemble: assemble)
        } catch {
            return report(error)
        }
    }

    /// A core file would hold whatever is secret in memory, for whoever finds it.
    private static func writeNoCoreFiles() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }

    private func configured(_ arguments: ProcessArguments) throws(ConfigurationError) -> ServiceProcess {
        let environment = ProcessEnvironment.current
        let variable = environment[ServiceCatalogue.variablePrefix(of: name) + "CONFIG"]
        let asked = arguments.configurationPath ?? variable.flatMap { $0.isEmpty ? nil : $0 }
        let file = try ConfigurationFile.find(asked: asked, service: name)
        let sources = ConfigurationSources(
            overrides: arguments.overrides.merging(overrides) { $1 }, environment: environment, file: file)
        let settings = try SettingsLoader(service: name, keys: keys, sources: sources).load()
        let backends = Backends.start(service: name, level: settings[SharedSettings.logLevel])
        return ServiceProcess(
            name: name, settings: settings, logger: backends.logger, health: HealthRegistry(),
            metrics: backends.metrics, eventLoopGroup: MultiThreadedEventLoopGroup(numberOfThreads: 1),
            environment: environment)
    }

    private func serve(
        _ process: ServiceProcess,
        assemble: @escaping @Sendable (ServiceProcess) async throws -> [any Service]
    ) async -> ExitStatus {
        Self.writeNoCoreFiles()
        let startTime = DayClock.nanoseconds()
        let address = SharedSettings.operationsAddress(of: name)
        // Not ready from the first answer on: a registry without components would be.
        process.health.component(ProcessSupervisor.component).setReady(false, "starting")
        do {
            let server = try await OperationsServer.bind(
                process.settings[address], setting: process.settings.variable(for: address),
                to: try OperationsClients(settings: process.settings),
                responder: OperationsResponder(
                    service: name, instance: process.instance, health: process.health,
                    metrics: process.metrics, process: ProcessMetrics(startTime: startTime)),
                group: process.eventLoopGroup)
            try await ProcessSupervisor(process: process, server: server, assemble: assemble).run()
            process.logger.notice("Stopped")
            return .success
        } catch let error as ConfigurationError {
            return report(error)
        } catch {
            process.logger.critical("Process failed", metadata: ["error": "\(error)"])
            return .software
        }
    }

    /// The one line of a configuration error.
    private func report(_ error: ConfigurationError) -> ExitStatus {
        StandardError.write("\(name): \("\(error)".replacing("\n", with: " "))\n")
        return .configuration
    }

    private func help() throws(ConfigurationError) {
        let settings = SettingsLoader(service: name, keys: keys, sources: ConfigurationSources())
        Swift.print(HelpText.of(service: name, keys: settings.keys, options: options), terminator: "")
    }
}
