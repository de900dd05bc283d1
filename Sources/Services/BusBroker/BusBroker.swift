package import Bus
package import Logging
package import Operations
import ServiceLifecycle
import Synchronization
import Threads

/// The place where all publishers and subscribers meet, and where retained state is asked for.
///
/// One thread passes two-frame messages from publishers to subscribers, remembers the last message of each
/// state topic and, of each book, the last snapshot with the deltas since, and answers questions about them.
package final class BusBroker: Service {
    private enum Listening {
        case notYet([CheckedContinuation<Result<BusAddresses, BusError>, Never>])
        case done(Result<BusAddresses, BusError>)
    }

    /// Changes the address, for the message when it is in use.
    private static let setting = "BITPAL_BUS"

    private let context: BusContext
    private let configuration: BusBrokerConfiguration
    private let instance: String
    private let health: HealthComponent?
    private let logger: Logger
    private let wakeup: Wakeup
    private let listening = Mutex(Listening.notYet([]))
    private let isStopped = Atomic<Bool>(false)
    private let hasRun = Atomic<Bool>(false)

    /// A broker that listens once ``run()`` runs.
    ///
    /// - Parameters:
    ///   - context: Shared with whoever uses its `inproc://` addresses.
    ///   - configuration: Addresses and bounds.
    ///   - instance: Names this run in `service.status.bus-broker.<instance>.`.
    ///   - health: Becomes ready when the broker listens.
    ///   - logger: Carries the service's name.
    /// - Throws: `ThreadError` when the process may open no more files.
    package init(
        context: BusContext, configuration: BusBrokerConfiguration, instance: String,
        health: HealthComponent? = nil, logger: Logger
    ) throws {
        self.context = context
        self.configuration = configuration
        self.instance = instance
        self.health = health
        self.logger = logger
        wakeup = try Wakeup()
    }

    /// Where the broker listens: with real port numbers where `*` was asked for.
    ///
    /// Waits for ``run()``.
    ///
    /// - Throws: ``BusError`` when it cannot listen.
    package func bound() async throws(BusError) -> BusAddresses {
        let result = await withCheckedContinuation { continuation in
            let known: Result<BusAddresses, BusError>? = listening.withLock { listening in
                switch listening {
                case .done(let result): return result
                case .notYet(let waiters):
                    listening = .notYet(waiters + [continuation])
                    return nil
                }
            }
            if let known { continuation.resume(returning: known) }
        }
        return try result.get()
    }

    /// Passes messages on until the end of the program.
    ///
    /// - Throws: `ConfigurationError` when it cannot listen at its address; ``BusError`` when a socket fails.
    /// - Precondition: Called once.
    package func run() async throws {
        precondition(!hasRun.exchange(true, ordering: .relaxed), "a broker runs once")
        do {
            try await withTaskCancellationOrGracefulShutdownHandler {
                try await NamedThread.run(name: "bus-broker") { () throws(BusError) in try self.serve() }
            } onCancelOrGracefulShutdown: {
                self.isStopped.store(true, ordering: .relaxed)
                self.wakeup.signal()
            }
        } catch let error as BusError {
            settle(.failure(error))
            if case .addressInUse(let address) = error {
                throw ConfigurationError.portInUse(address, setting: Self.setting)
            }
            if error.isConfiguration {
                throw error.refusal(otherwise: "set \(Self.setting) to another address")
            }
            throw error
        }
    }

    private func serve() throws(BusError) {
        let publisher = BrokerPublisher(instance: instance, started: BusClock.wall())
        var loop = try BrokerLoop(
            context: context, configuration: configuration, publisher: publisher, wakeup: wakeup,
            events: BrokerLoop.Events(
                isStopped: { self.isStopped.load(ordering: .relaxed) },
                bound: { self.settle(.success($0)) }, report: { $0.log(to: self.logger) }))
        do {
            try loop.run()
        } catch .contextEnded {}
    }

    private func settle(_ result: Result<BusAddresses, BusError>) {
        let waiters: [CheckedContinuation<Result<BusAddresses, BusError>, Never>] = listening.withLock {
            listening in
            guard case .notYet(let waiters) = listening else { return [] }
            listening = .done(result)
            return waiters
        }
        if case .success(let addresses) = result {
            health?.setReady(true)
            logger.notice(
                "Listening",
                metadata: [
                    "publish": "\(addresses.publish)", "subscribe": "\(addresses.subscribe)",
                    "state": "\(addresses.state)",
                ])
        }
        for waiter in waiters { waiter.resume(returning: result) }
    }
}
