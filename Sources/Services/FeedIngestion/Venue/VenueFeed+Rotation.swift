import Bus
import Instruments
import Logging
import Metrics
import Venues
import Web

extension VenueFeed {
    /// Replaces connections that the venue will end soon, unless another part is at it.
    func rotateIfDue(at now: Timestamp) {
        guard session.isDue(at: now), parts.gate.beginRotation() else { return }
        session.rotate(at: now, into: &output)
        absorb()
    }

    /// Does and tells what has become of it.
    func noteRotation() {
        for connection in session.takeRetired() { drop(connection) }
        for news in session.takeNews() {
            switch news {
            case .began: parts.logger.info("Connections are being replaced before the venue ends them")
            case .tookOver, .tookOverEarly:
                if news == .tookOverEarly { missTrades() }
                parts.gate.endRotation()
                metrics.rotated(outcome: "done")
                parts.logger.info("Connections have been replaced")
            case .failed(let reason):
                parts.gate.endRotation()
                metrics.rotated(outcome: "failed")
                parts.logger.warning("Connections could not be replaced", metadata: ["reason": "\(reason)"])
            }
        }
    }

    /// Closes a connection for good.
    private func drop(_ connection: Int) {
        addresses[connection] = nil
        links[connection] = nil
        connections.removeValue(forKey: connection)?.close(code: 1_000, reason: "replaced")
    }
}
