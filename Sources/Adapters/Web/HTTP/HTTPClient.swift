import Metrics
import Synchronization
import Threads

/// Asks servers for documents (snapshots, instruments, missed trades), and our gateway for all that it does,
/// by libcurl.
///
/// libcurl blocks, so each request runs on a thread of its own, never on Swift's pool: at most
/// `maximumConcurrent` at once, at most `maximumWaiting` waiting, the rest refused. Certificates are
/// verified, redirects are not followed, connections are used again.
package final class HTTPClient: Sendable {
    private let configuration: HTTPClientConfiguration
    private let gate: RequestGate
    private let idle = Mutex<[CurlHandle]>([])
    private let duration = Timer(label: "http_client_request_duration_seconds")
    private let waitingGauge = Gauge(label: "http_client_waiting")
    private let waitingMaximum = Gauge(label: "http_client_waiting_max")

    /// Creates a client; no thread and no connection exists before the first request.
    package init(configuration: HTTPClientConfiguration = .init()) {
        self.configuration = configuration
        gate = RequestGate(concurrent: configuration.maximumConcurrent, waiting: configuration.maximumWaiting)
    }

    /// Which servers are reached by way of a proxy.
    package var proxies: WebProxies { configuration.proxies }

    /// Requests under way and waiting, the most that ever waited, and how many were refused.
    package var counters: HTTPClientCounters {
        let counts = gate.counts
        return HTTPClientCounters(
            running: counts.running, waiting: counts.waiting, waitingMaximum: counts.highWater,
            refused: counts.refused)
    }

    /// Fetches one document.
    ///
    /// - Parameters:
    ///   - url: `http://` or `https://`.
    ///   - headers: Further request headers.
    ///   - timeout: Limit for the whole request, its wait for a turn excepted.
    ///   - maximumBytes: The longest body accepted, after decompression.
    ///   - pins: The keys that the server may have.
    /// - Returns: The response, whatever its status.
    /// - Throws: ``WebError``; ``WebError/cancelled`` at once when the task is cancelled.
    package func get(
        _ url: String, headers: [(name: String, value: String)] = [], timeout: Duration = .seconds(10),
        maximumBytes: Int = 16 << 20, pins: KeyPins = .any
    ) async throws(WebError) -> HTTPResponse {
        try await send(
            "GET", url, headers: headers, body: nil, timeout: timeout, maximumBytes: maximumBytes, pins: pins)
    }

    /// Sends one request.
    ///
    /// - Parameters:
    ///   - method: Such as `POST`.
    ///   - url: `http://` or `https://`.
    ///   - headers: Further request headers; the type of the body is one.
    ///   - body: What is sent; `nil` for nothing.
    ///   - timeout: Limit for the whole request, its wait for a turn excepted.
    ///   - maximumBytes: The longest answer accepted, after decompression.
    ///   - pins: The keys that the server may have.
    /// - Returns: The response, whatever its status.
    /// - Throws: ``WebError``; ``WebError/cancelled`` at once when the task is cancelled.
    package func send(
        _ method: String, _ url: String, headers: [(name: String, value: String)] = [], body: [UInt8]?,
        timeout: Duration = .seconds(10), maximumBytes: Int = 16 << 20, pins: KeyPins = .any
    ) async throws(WebError) -> HTTPResponse {
        var request = CurlRequest(
            method: method, url: url, body: body, headers: headers, timeout: timeout,
            maximumBytes: maximumBytes, configuration: configuration)
        request.pins = pins
        request.proxy = try configuration.proxies.proxy(
            to: request.host, isSecure: url.hasPrefix("https:"))?.url
        let outcome = await outcome(of: request)
        Counter(label: "http_client_requests_total", dimensions: [("outcome", Self.label(of: outcome))])
            .increment()
        return try outcome.get()
    }

    private func outcome(of request: CurlRequest) async -> Result<HTTPResponse, WebError> {
        do throws(WebError) {
            defer { recordWaiting() }
            try await gate.enter()
        } catch {
            return .failure(error)
        }
        defer {
            gate.leave()
            recordWaiting()
        }
        guard let handle = idle.withLock({ $0.popLast() }) ?? CurlHandle() else {
            return .failure(.transferFailed(code: 2, reason: "libcurl could not be initialised"))
        }
        defer { idle.withLock { $0.append(handle) } }
        let started = ContinuousClock.now
        let outcome = await Self.run(request, on: handle)
        duration.recordNanoseconds((ContinuousClock.now - started).wholeNanoseconds)
        return outcome
    }

    private static func run(
        _ request: CurlRequest, on handle: CurlHandle
    ) async -> Result<HTTPResponse, WebError> {
        let flag = CancellationFlag()
        return await withTaskCancellationHandler {
            await NamedThread.run(name: "http-client") { handle.perform(request, isCancelled: flag.isSet) }
        } onCancel: {
            flag.isSet.store(true, ordering: .releasing)
            handle.wake()
        }
    }

    private func recordWaiting() {
        let counts = gate.counts
        waitingGauge.record(counts.waiting)
        waitingMaximum.record(counts.highWater)
    }

    /// A bounded label: the class of the status, or the error's word.
    private static func label(of outcome: Result<HTTPResponse, WebError>) -> String {
        switch outcome {
        case .success(let response): "\(response.status / 100)xx"
        case .failure(let error): "\(error.label)"
        }
    }
}

/// What an ``HTTPClient`` is doing.
package struct HTTPClientCounters: Sendable, Hashable {
    /// Requests under way.
    package var running: Int
    /// Requests waiting for their turn.
    package var waiting: Int
    /// The most requests that ever waited at once.
    package var waitingMaximum: Int
    /// Requests refused because too many were waiting.
    package var refused: Int
}

private final class CancellationFlag: Sendable {
    let isSet = Atomic(false)
}
