import AccountStore
import Credentials
import Logging
import ServiceLifecycle
import Store

/// Removes sessions, tickets and failures that are over, each minute.
///
/// A removed session ends its live connections: the database notifies of it.
struct AccountTidying: Service {
    static let interval = Duration.seconds(60)

    let services: GatewayServices
    let hasher: PasswordHasher

    /// Runs until the process stops.
    func run() async {
        // Else the first who has no account would wait longer than others.
        try? await hasher.prepare()
        while !Task.isCancelled {
            let (now, limits) = (services.clock(), services.configuration.accounts.sessions)
            do throws(StoreError) {
                try await services.database.withSession { session in
                    try session.tidyAccounts(at: now, limits: limits)
                }
            } catch {
                services.logger.warning("What is over cannot be removed", metadata: ["error": "\(error)"])
            }
            do {
                try await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.interval) }
            } catch {
                return
            }
        }
    }
}
