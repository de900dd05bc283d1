import AccountStore
package import Instruments
import ServiceLifecycle
package import Store

/// Ends live connections as soon as the database says that their sessions, tokens or users are no more, and
/// soon after those have ended by themselves, which nobody announces.
package struct RevocationWatch: Service {
    private let hub: StreamHub
    private let database: Database
    private let clock: @Sendable () -> Timestamp
    /// How long a connection may outlive a token or session that is over.
    private let interval: Duration

    package init(
        hub: StreamHub, database: Database, clock: @escaping @Sendable () -> Timestamp,
        interval: Duration = .seconds(20)
    ) {
        (self.hub, self.database, self.clock, self.interval) = (hub, database, clock, interval)
    }

    /// Listens and looks until graceful shutdown.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await listen() }
                group.addTask {
                    while (try? await Task.sleep(for: interval)) != nil { await recheck() }
                }
            }
        }
    }

    private func listen() async {
        for await event in database.listen(to: [AccountSchema.revocationChannel]) {
            switch event {
            case .listening: await recheck()
            case .notification(_, let payload):
                if let revocation = Revocation(payload: payload) { hub.end(revocation) }
            case .lost: continue
            }
        }
    }

    /// Some may have been missed: whoever cannot be looked at keeps the connection until the next time.
    private func recheck() async {
        let (database, clock) = (database, clock)
        await hub.recheck { identity in
            let stands = try? await database.transaction { session in
                try session.stands(identity, at: clock())
            }
            return stands ?? true
        }
    }
}
