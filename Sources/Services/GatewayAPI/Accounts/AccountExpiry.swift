import AccountStore
import Credentials
import InstallationStore
import Instruments
import Logging
import ServiceLifecycle
import Store

/// Ends sessions and tokens within a second after their time is over, and each minute removes what else is
/// and keeps apart what was revoked.
///
/// What ends here ends its live connections, WebSockets and events alike: the database notifies of it.
struct AccountExpiry: Service {
    /// Seconds between two looks at all that may be over.
    static let wholeInterval = 60

    let services: GatewayServices
    let hasher: PasswordHasher
    /// What is over by another's clock is not removed: PostgreSQL is asked in the same breath.
    var time: @Sendable (borrowing Session) throws(StoreError) -> Timestamp = { session throws(StoreError) in
        try session.timeOfDay()
    }

    /// Runs until the process stops.
    func run() async {
        // Else the first who has no account would wait longer than others.
        // Where that fails so it is, and nothing else.
        try? await hasher.prepare()
        var seconds = 0
        while !Task.isCancelled {
            let isWhole = seconds % Self.wholeInterval == 0
            await tidy(isWhole: isWhole)
            if isWhole { await keepApart() }
            seconds += 1
            do {
                try await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(1)) }
            } catch {
                return
            }
        }
    }

    /// What a backup must not revive is told to the file that is apart from the database.
    func keepApart() async {
        guard let path = services.configuration.accounts.withdrawnFile else { return }
        do {
            try await WithdrawnFile(path).update(from: services.database)
        } catch {
            guard !Task.isCancelled else { return }
            services.logger.warning("What was revoked is not kept apart", metadata: ["error": "\(error)"])
        }
    }

    private func tidy(isWhole: Bool) async {
        let (time, limits) = (time, services.configuration.accounts.sessions)
        do throws(StoreError) {
            try await services.database.withSession { session in
                let now = try time(session)
                if isWhole {
                    try session.tidyAccounts(at: now, limits: limits)
                } else {
                    try session.endOverCredentials(at: now, limits: limits)
                }
            }
        } catch {
            // Said once a minute, however long it lasts; that a process which stops gave it up is no trouble.
            guard isWhole, !Task.isCancelled else { return }
            services.logger.warning("What is over cannot be removed", metadata: ["error": "\(error)"])
        }
    }
}
