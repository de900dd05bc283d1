import Metrics
import Testing

@testable import Operations

@Suite("Metrics registry")
struct MetricsRegistryTests {
    private let registry = MetricsRegistry()

    private var page: [String] {
        registry.exposition().split(separator: "\n").map(String.init)
    }

    @Test("shows counters with sorted, escaped labels")
    func counters() {
        let counter = registry.makeCounter(
            label: "feed_frames_total", dimensions: [("venue", "bit\"mex\\\n"), ("kind", "book")])
        counter.increment(by: 2)
        registry.makeCounter(
            label: "feed_frames_total", dimensions: [("kind", "book"), ("venue", "bit\"mex\\\n")]
        )
        .increment(by: 3)
        registry.makeCounter(label: "feed_frames_total", dimensions: []).increment(by: 1)
        #expect(
            page.prefix(3) == [
                "# TYPE feed_frames_total counter", "feed_frames_total 1",
                #"feed_frames_total{kind="book",venue="bit\"mex\\\n"} 5"#,
            ])
    }

    @Test("shows gauges, meters and counters of fractions")
    func gauges() {
        registry.makeRecorder(label: "depth", dimensions: [], aggregate: false).record(Int64(7))
        let meter = registry.makeMeter(label: "level", dimensions: [])
        meter.set(2.5)
        meter.increment(by: 1)
        meter.decrement(by: 0.25)
        registry.makeFloatingPointCounter(label: "seconds_total", dimensions: []).increment(by: 0.5)
        #expect(
            page.prefix(6) == [
                "# TYPE depth gauge", "depth 7", "# TYPE level gauge", "level 3.25",
                "# TYPE seconds_total counter", "seconds_total 0.5",
            ])
    }

    @Test("shows times in seconds, cumulated over buckets, a value on a bound in its bucket")
    func timers() {
        let timer = registry.makeTimer(label: "query_seconds", dimensions: [("kind", "x")])
        timer.recordNanoseconds(50_000)
        timer.recordNanoseconds(1_000_000_000)
        timer.recordNanoseconds(3_000_000_000)
        timer.recordNanoseconds(60_000_000_000)
        let lines = page
        #expect(lines[0] == "# TYPE query_seconds histogram")
        #expect(lines[1] == #"query_seconds_bucket{kind="x",le="5e-05"} 1"#)
        #expect(lines.contains(#"query_seconds_bucket{kind="x",le="0.5"} 1"#))
        #expect(lines.contains(#"query_seconds_bucket{kind="x",le="1"} 2"#))
        #expect(lines.contains(#"query_seconds_bucket{kind="x",le="10"} 3"#))
        #expect(lines.contains(#"query_seconds_bucket{kind="x",le="+Inf"} 4"#))
        #expect(lines.contains(#"query_seconds_sum{kind="x"} 64.00005"#))
        #expect(lines.contains(#"query_seconds_count{kind="x"} 4"#))
    }

    @Test("shows sizes as they are, and ignores what is no number")
    func sizes() {
        let recorder = registry.makeRecorder(label: "batch", dimensions: [], aggregate: true)
        for value in [1.0, 3, .nan, .infinity] { recorder.record(value) }
        #expect(page.contains(#"batch_bucket{le="2"} 1"#))
        #expect(page.contains("batch_count 2"))
        #expect(page.contains("batch_sum 4"))
    }

    @Test("makes names that Prometheus takes")
    func names() {
        #expect(ExpositionPage.name("a.b-c d") == "a_b_c_d")
        #expect(ExpositionPage.name("9lives") == "_9lives")
        #expect(ExpositionPage.name("") == "_")
        #expect(ExpositionPage.number(.nan) == "NaN")
        #expect(ExpositionPage.number(-.infinity) == "-Inf")
        #expect(ExpositionPage.number(1e300) == "1e+300")
    }

    @Test("refuses a name of another type, and more series than the limit, without a trap")
    func refuses() {
        registry.makeCounter(label: "thing", dimensions: []).increment(by: 1)
        registry.makeTimer(label: "thing", dimensions: []).recordNanoseconds(1)
        registry.makeMeter(label: "thing", dimensions: [("a", "b")]).set(1.0)
        #expect(page.contains("metrics_refused_total 2"))
        for index in 0..<MetricsRegistry.seriesLimit {
            registry.makeCounter(label: "many_total", dimensions: [("n", "\(index)")]).increment(by: 1)
        }
        #expect(page.count { $0.hasPrefix("many_total{") } == MetricsRegistry.seriesLimit - 1)
        #expect(page.contains("metrics_refused_total 3"))
    }

    @Test("counts from many tasks without losing any")
    func concurrent() async {
        let counter = registry.makeCounter(label: "all_total", dimensions: [])
        let meter = registry.makeMeter(label: "all", dimensions: [])
        let recorder = registry.makeRecorder(label: "spread", dimensions: [], aggregate: true)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<1000 {
                        counter.increment(by: 1)
                        meter.increment(by: 1)
                        recorder.record(Int64(1))
                    }
                }
            }
        }
        #expect(page.contains("all_total 4000"))
        #expect(page.contains("all 4000"))
        #expect(page.contains("spread_sum 4000"))
    }

    @Test("knows the memory and the descriptors of this process")
    func process() throws {
        #expect(try #require(ProcessMetrics.residentBytes) > 1_000_000)
        #expect(try #require(ProcessMetrics.openDescriptors) >= 3)
        var page = ExpositionPage()
        ProcessMetrics(startTime: 1_500_000_000).append(to: &page)
        #expect(page.text.contains("process_start_time_seconds 1.5\n"))
        #expect(page.text.contains("# TYPE process_resident_memory_bytes gauge\n"))
    }
}
