import AccountStore
import Instruments
import ServiceLifecycle
import Store

/// Ends live connections as soon as the database says that their sessions, tokens or users are no more.
struct RevocationWatch: Service {
    let hub: StreamHub
    let database: Database
    let clock: @Sendable () -> Timestamp

    /// Listens until graceful shutdown.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await event in database.listen(to: [AccountSchema.revocationChannel]) {
                switch event {
                case .listening: await recheck()
                case .notification(_, let payload):
                    if let revocation = Revocation(payload: payload) { hub.end(revocation) }
                case .lost: continue
                }
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
