import Metrics
import Synchronization

/// What the service says about itself, in metrics and in its status.
final class MetadataFigures: Sendable {
    /// Counts since the start, and how much is stored.
    struct Values: Sendable, Hashable {
        var requests: Int64 = 0
        /// Answers with 429 or another status than 200.
        var refused: Int64 = 0
        /// Answers that are not what the provider documents.
        var malformed: Int64 = 0
        /// Requests without an answer.
        var unanswered: Int64 = 0
        var assets: Int64 = 0
        var categories: Int64 = 0
        var categoriesKnown: Int64 = 0
        var trending: Int64 = 0
        /// Coins whose aggregated price is told.
        var aggregated: Int64 = 0
        /// Turns of trending that PostgreSQL refused.
        var troubles: Int64 = 0
    }

    /// Why a request came to nothing.
    enum Failure: String, CaseIterable {
        case refused, malformed, unanswered
    }

    private let state = Mutex(Values())
    private let requests = Counter(label: "metadata_requests_total")
    private let failures = Failure.allCases.map {
        Counter(label: "metadata_requests_failed_total", dimensions: [("reason", $0.rawValue)])
    }
    private let assets = Gauge(label: "metadata_assets")
    private let categories = Gauge(label: "metadata_categories_known")
    private let trending = Gauge(label: "metadata_trending_scores")
    private let aggregated = Gauge(label: "metadata_aggregated_prices")

    init() {}

    var values: Values { state.withLock { $0 } }

    func noteRequest() {
        requests.increment()
        state.withLock { $0.requests += 1 }
    }

    func note(_ failure: Failure) {
        switch failure {
        case .refused: state.withLock { $0.refused += 1 }
        case .malformed: state.withLock { $0.malformed += 1 }
        case .unanswered: state.withLock { $0.unanswered += 1 }
        }
        failures[Failure.allCases.firstIndex(of: failure) ?? 0].increment()
    }

    func note(assets count: Int, categories listed: Int, known: Int) {
        assets.record(count)
        categories.record(known)
        state.withLock { values in
            (values.assets, values.categories) = (Int64(count), Int64(listed))
            values.categoriesKnown = Int64(known)
        }
    }

    func note(trending count: Int) {
        trending.record(count)
        state.withLock { $0.trending = Int64(count) }
    }

    func note(aggregated count: Int) {
        aggregated.record(count)
        state.withLock { $0.aggregated = Int64(count) }
    }

    func noteTrouble() { state.withLock { $0.troubles += 1 } }
}
