package import CoreMetrics
import Synchronization

/// Keeps the metrics of the process and shows them in Prometheus' text form.
///
/// A metric is made once and stored by who counts; from then on it costs one atomic operation. The same name
/// and labels give the same metric again. At most ``seriesLimit`` are kept; a program that makes more has a
/// label that is not bounded, and the rest is counted in `metrics_refused_total` and shown nowhere.
package final class MetricsRegistry: MetricsFactory {
    /// The most series (a name with one set of labels) that are kept.
    package static let seriesLimit = 10_000
    /// Upper bounds of timers, seconds.
    static let timeBounds: [Double] = [
        0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,
        2.5, 10,
    ]
    /// Upper bounds of other distributions: sizes and counts.
    static let sizeBounds: [Double] = [
        1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576,
    ]

    enum Value: Sendable {
        case counter(CounterValue)
        case fraction(GaugeValue)
        case gauge(GaugeValue)
        case histogram(HistogramValue)

        /// What Prometheus calls it.
        var type: String {
            switch self {
            case .counter, .fraction: "counter"
            case .gauge: "gauge"
            case .histogram: "histogram"
            }
        }
    }

    private struct State {
        /// By name, then by rendered labels.
        var families: [String: [String: Value]] = [:]
        var count = 0
    }

    private let state = Mutex(State())
    private let refused = CounterValue()

    package init() {}

    /// A counter; call `increment` on it.
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        let value = find(label, dimensions) { .counter(CounterValue()) }
        if case .counter(let counter) = value { return counter }
        return CounterValue()
    }

    /// A counter of fractions.
    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        let value = find(label, dimensions) { .fraction(GaugeValue()) }
        if case .fraction(let counter) = value { return counter }
        return GaugeValue()
    }

    /// A number that goes up and down.
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        gauge(label, dimensions)
    }

    /// A distribution when `aggregate` is true, else the last value recorded.
    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else { return gauge(label, dimensions) }
        let value = find(label, dimensions) { .histogram(HistogramValue(bounds: Self.sizeBounds)) }
        if case .histogram(let histogram) = value { return histogram }
        return HistogramValue(bounds: Self.sizeBounds)
    }

    /// A distribution of times, shown in seconds; name it `…_seconds`.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        let value = find(label, dimensions) {
            .histogram(HistogramValue(bounds: Self.timeBounds, scale: 1_000_000_000))
        }
        if case .histogram(let histogram) = value { return histogram }
        return HistogramValue(bounds: Self.timeBounds, scale: 1_000_000_000)
    }

    /// Does nothing: what was counted stays visible until the process ends.
    package func destroyCounter(_ handler: any CounterHandler) {}
    /// Does nothing.
    package func destroyMeter(_ handler: any MeterHandler) {}
    /// Does nothing.
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    /// Does nothing.
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Does nothing.
    package func destroyTimer(_ handler: any TimerHandler) {}

    /// Everything, in Prometheus' text exposition format 0.0.4, sorted by name and labels.
    package func exposition() -> String {
        let families = state.withLock { $0.families }
        var page = ExpositionPage()
        for name in families.keys.sorted() {
            for (index, series) in (families[name] ?? [:]).sorted(by: { $0.key < $1.key }).enumerated() {
                if index == 0 { page.begin(name, type: series.value.type) }
                page.append(name, labels: series.key, series.value)
            }
        }
        page.begin("metrics_refused_total", type: "counter")
        page.append("metrics_refused_total", labels: "", .counter(refused))
        return page.text
    }

    private func gauge(_ label: String, _ dimensions: [(String, String)]) -> GaugeValue {
        let value = find(label, dimensions) { .gauge(GaugeValue()) }
        if case .gauge(let gauge) = value { return gauge }
        return GaugeValue()
    }

    /// The series of that name and labels; `nil`, counted, when there are too many or the name has another
    /// type.
    private func find(
        _ label: String, _ dimensions: [(String, String)], _ make: @Sendable () -> Value
    ) -> Value? {
        let name = ExpositionPage.name(label)
        let labels = ExpositionPage.labels(dimensions)
        let fresh = make()
        let found = state.withLock { state -> Value? in
            if let known = state.families[name]?[labels] { return known }
            let type = state.families[name]?.first?.value.type ?? fresh.type
            guard type == fresh.type, state.count < Self.seriesLimit else { return nil }
            state.families[name, default: [:]][labels] = fresh
            state.count += 1
            return fresh
        }
        guard let found, found.type == fresh.type else {
            refused.increment(by: 1)
            return nil
        }
        return found
    }
}
