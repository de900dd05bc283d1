import Synchronization
import Testing

@testable import Operations

@Suite("Health")
struct HealthTests {
    private final class Clock: Sendable {
        private let time = Atomic<Int64>(0)
        var now: Int64 { time.load(ordering: .relaxed) }
        func advance(_ nanoseconds: Int64) { time.add(nanoseconds, ordering: .relaxed) }
    }

    private let clock = Clock()

    private func registry() -> HealthRegistry { HealthRegistry { [clock] in clock.now } }

    private func responder(_ health: HealthRegistry) -> OperationsResponder {
        OperationsResponder(
            service: "book-builder", instance: "i", health: health, metrics: MetricsRegistry(),
            process: ProcessMetrics(startTime: 0))
    }

    @Test("is ready when every component is, and says why not")
    func ready() {
        let health = registry()
        #expect(health.report.isReady)
        let bus = health.component("bus")
        #expect(!health.report.isReady)
        #expect(health.component("bus") === bus)
        bus.setReady(true)
        #expect(health.report.isReady)
        health.component("database").setReady(false, "connection refused")
        #expect(health.report.components.map(\.readyReason) == ["", "connection refused"])
        health.remove("database")
        #expect(health.report.isReady)
    }

    @Test("freshness counts once it is spoken of, and expires when it is not renewed")
    func fresh() {
        let health = registry()
        let feed = health.component("feed")
        feed.setReady(true)
        #expect(health.report.isFresh)
        feed.setFresh(true, for: .seconds(10))
        clock.advance(9_999_999_999)
        #expect(health.report.isFresh)
        clock.advance(1)
        #expect(!health.report.isFresh)
        #expect(health.report.components[0].freshReason == "expired: not renewed in time")
        feed.setFresh(true, for: .seconds(10))
        #expect(health.report.isFresh)
        feed.setFresh(false, "venue silent")
        #expect(!health.report.isFresh)
        #expect(health.report.isReady)
    }

    @Test("answers with JSON and a status")
    func answers() {
        let health = registry()
        let responder = responder(health)
        health.component("bus").setReady(true)
        health.component("feed").setReady(false, "waiting for \"kraken\"\n")
        let ready = responder.answer(method: "GET", path: "/health/ready?x=1")
        #expect(ready.status == 503)
        #expect(
            ready.body == #"{"status":"not ready","service":"book-builder","instance":"i","components":["#
                + #"{"name":"bus","ready":true,"reason":""},"#
                + #"{"name":"feed","ready":false,"reason":"waiting for \"kraken\"\n"}]}"# + "\n")
        health.component("feed").setReady(true)
        health.component("feed").setFresh(false, "old")
        #expect(responder.answer(method: "GET", path: "/health/ready").status == 200)
        let fresh = responder.answer(method: "GET", path: "/health/fresh")
        #expect(fresh.status == 503)
        #expect(fresh.body.contains(#"{"name":"feed","fresh":false,"reason":"old"}"#))
        let live = responder.answer(method: "HEAD", path: "/health/live")
        #expect(live.status == 200)
        #expect(live.body == #"{"status":"live","service":"book-builder","instance":"i"}"# + "\n")
    }

    @Test(
        "refuses other paths and methods",
        arguments: [
            ("GET", "/", 404), ("GET", "/metricsx", 404), ("GET", "/metrics/", 404),
            ("POST", "/metrics", 405),
            ("DELETE", "/health/live", 405), ("GET", "/metrics?x", 200),
        ])
    func refuses(method: String, path: String, status: Int) {
        #expect(responder(registry()).answer(method: method, path: path).status == status)
    }
}
