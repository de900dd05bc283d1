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
    /// Seals the secrets of accounts; without one there are none.
    var vault: SecretVault?
    /// What is over by another's clock is not removed: PostgreSQL is asked in the same breath.
    var time: @Sendable (borrowing Session) throws(StoreError) -> Timestamp = { session throws(StoreError) in
        try session.timeOfDay()
    }

    /// Runs until the process stops.
    func run() async {
        // Else the first who has no account would wait longer than others.
        // Where that fails so it is, and nothing else.
        try? await hasher.prepare()
        await sealAccounts()
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

    /// Seals what was sealed with a former key, where the key file got another one by hand.
    func sealAccounts() async {
        guard let vault else { return }
        let logger = services.logger
        do {
            let report = try await services.database.renewSecrets(by: vault, of: [.accounts])
            if let fault = report.fault {
                logger.critical(
                    "Secrets of accounts do not open",
                    metadata: ["count": "\(report.closed.count)", "why": "\(fault)"])
            }
            guard report.renewed > 0 else { return }
            logger.notice("Secrets of accounts were sealed", metadata: ["count": "\(report.renewed)"])
        } catch {
            guard !Task.isCancelled else { return }
            // They can be used as they are; the next start tries again.
            logger.warning("Secrets of accounts cannot be sealed", metadata: ["error": "\(error)"])
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
