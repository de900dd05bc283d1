import Instruments
import Metrics
import NIOCore

/// One playback with the connections that watch it.
///
/// Belongs to the simulator's event loop.
struct SimulatedVenue {
    let venue: Venue
    var playback: Playback
    var channels: [Int: any Channel] = [:]
    /// What goes wrong on the way to its clients; `nil` where nothing does.
    var faults: VenueFaults?
    /// When it is looked after next.
    var wake: Scheduled<Void>?
    /// Whether a turn is already in the loop's queue.
    var isQueued = false
    /// Whether its end was logged.
    var hasReportedEnd = false
    private var reportedSent: UInt64 = 0
    private var reportedFaults: [FaultKind: Int] = [:]
    private let sentCounter: Counter
    private let droppedCounter: Counter
    private let requestCounter: Counter
    private let clientGauge: Gauge

    init(venue: Venue, playback: Playback, faults: VenueFaults? = nil) {
        self.venue = venue
        self.playback = playback
        self.faults = faults
        let labels = [("venue", venue.rawValue)]
        sentCounter = Counter(label: "venue_simulator_messages_sent_total", dimensions: labels)
        droppedCounter = Counter(label: "venue_simulator_clients_dropped_total", dimensions: labels)
        requestCounter = Counter(label: "venue_simulator_requests_total", dimensions: labels)
        clientGauge = Gauge(label: "venue_simulator_clients", dimensions: labels)
    }

    /// Whether a connection takes no more for now.
    var isBlocked: Bool { channels.values.contains { !$0.isWritable } }

    mutating func reportSent() {
        let sent = playback.counters.sent
        guard sent > reportedSent else { return }
        sentCounter.increment(by: Int64(clamping: sent - reportedSent))
        reportedSent = sent
    }

    mutating func reportFaults() {
        guard let counts = faults?.counts, counts != reportedFaults else { return }
        for (kind, count) in counts where count > reportedFaults[kind] ?? 0 {
            let labels = [("venue", venue.rawValue), ("kind", kind.rawValue)]
            Counter(label: "venue_simulator_faults_total", dimensions: labels)
                .increment(by: Int64(count - (reportedFaults[kind] ?? 0)))
        }
        reportedFaults = counts
    }

    func reportClients() { clientGauge.record(channels.count) }

    func reportDropped() { droppedCounter.increment() }

    func reportRequest() { requestCounter.increment() }
}
