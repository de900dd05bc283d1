import Instruments
import Metrics
import NIOCore
import Venues
import Web

/// What is pushed.
extension TickerFeed {
    /// Connects, and connects again whenever the connection ends, until the task is cancelled.
    func keepOpen(_ url: String) async {
        var backoff = Backoff()
        var generator = SystemRandomNumberGenerator()
        while !Task.isCancelled {
            await parts.gate.wait(for: .connection)
            if Task.isCancelled { return }
            let (healthy, atLeast) = await connect(url)
            if Task.isCancelled { return }
            metrics.reconnects.increment()
            let wait = backoff.delay(afterHealthy: healthy, atLeast: atLeast, using: &generator)
            try? await Task.sleep(for: .nanoseconds(wait))
        }
    }

    /// One connection from its opening to its end: how long it brought data, and how long the venue asks to
    /// wait.
    private func connect(_ url: String) async -> (healthy: Int64, atLeast: Int64) {
        let clock = parts.clock
        var configuration = WebSocketConfiguration(
            closeDeadline: .seconds(1), wallClock: { clock().nanoseconds })
        configuration.pins = parts.pins
        configuration.proxies = parts.proxies
        let opened = clock()
        do throws(WebError) {
            let socket = try await WebSocketConnection.connect(
                to: url, on: parts.loop, configuration: configuration
            ) { burst in
                self.assumeIsolated { $0.receive(burst) }
            }
            socket.resume()
            _ = await socket.closed()
            return (clock().nanoseconds(since: opened), 0)
        } catch {
            guard case .upgradeRefused(let status, let after) = error else { return (0, 0) }
            let pause = parts.gate.refusedConnection(status: status, retryAfter: after)
            return (0, max(pause, after?.wholeNanoseconds ?? 0))
        }
    }

    private func receive(_ burst: WebSocketBatch) -> WebSocketDemand {
        for index in 0..<burst.count {
            if let rows = burst.withMessage(index, { tickers.readStream($0) }) {
                take(rows, of: nil)
                if !rows.tickers.isEmpty { pushedAt = parts.clock() }
            } else {
                metrics.unreadable.increment()
            }
        }
        return .more
    }
}
