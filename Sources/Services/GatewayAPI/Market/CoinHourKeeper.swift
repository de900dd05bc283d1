import Instruments
import ServiceLifecycle

/// Notes what all coins cost and turn over as each hour begins, for what trends.
///
/// Each gateway by what it hears: after a start the first two hours' begins have to pass.
struct CoinHourKeeper: Service {
    let services: GatewayServices

    /// Looks every ten seconds whether an hour has begun, until graceful shutdown or cancellation.
    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .seconds(10))
                await look()
            }
        }
    }

    private func look() async {
        let now = services.clock()
        // Without the database this hour is noted later, or not at all.
        guard services.coinBoard.isHourDue(at: now), let catalogue = try? await services.catalogue.current()
        else { return }
        services.coinBoard.noteHour(services.coins(in: catalogue), at: now)
    }
}
