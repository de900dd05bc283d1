import Instruments
import Logging
import Venues
import Web

/// What is asked for.
extension TickerFeed {
    /// Asks for every page, round by round.
    func poll() async {
        var backoff = Backoff(base: 1_000_000_000, cap: 300_000_000_000)
        var generator = SystemRandomNumberGenerator()
        while !Task.isCancelled {
            var wait = period
            if let pause = await round() {
                wait = max(wait, backoff.delay(atLeast: pause, using: &generator))
            } else {
                backoff = Backoff(base: backoff.base, cap: backoff.cap)
            }
            try? await Task.sleep(for: .nanoseconds(wait))
        }
    }

    /// Nanoseconds until the next round: what is pushed spares most of them.
    private var period: Int64 {
        let isPushed = pushedAt.map { parts.clock().nanoseconds(since: $0) < tickers.silentPeriod } ?? false
        return isPushed ? tickers.period : tickers.silentPeriod
    }

    /// Asks for every page.
    ///
    /// - Returns: `nil` where all could be read, or else how long the venue wants to be left alone.
    private func round() async -> Int64? {
        let isOld = namedAt.map { parts.clock().nanoseconds(since: $0) > Self.namesPatience } ?? true
        if let url = tickers.namesURL, isOld {
            let answer = await get(url)
            if answer.take({ tickers.takeNames($0) }) == true { namedAt = parts.clock() }
            guard tickers.isNamed else { return note("its list of names", answer) }
        }
        for (page, url) in tickers.pages.enumerated() where !Task.isCancelled {
            let answer = await get(url)
            guard let rows = answer.take({ tickers.read($0, of: page) }) ?? nil else {
                return note("page \(page)", answer)
            }
            take(rows, of: page)
        }
        return noteSuccess()
    }

    /// One answer; status 0 is none.
    private struct Answer {
        var status = 0
        var body: [UInt8] = []
        var pause: Int64 = 0

        func take<Value>(_ read: (UnsafeRawBufferPointer) -> Value) -> Value? {
            status == 200 ? body.withUnsafeBytes(read) : nil
        }
    }

    private func get(_ url: String) async -> Answer {
        await parts.gate.wait(for: .patient, url: url)
        if Task.isCancelled { return Answer() }
        do throws(WebError) {
            let response = try await parts.http.get(
                url, maximumBytes: Self.maximumBytes, pins: parts.pins)
            metrics.requested("\(response.status / 100)xx")
            let ban = RequestPlan.ban(status: response.status, retryAfter: response.retryAfter)
            if ban > 0 { parts.gate.pauseRequests(for: ban, status: response.status) }
            return Answer(status: response.status, body: response.body, pause: ban)
        } catch {
            metrics.requested("\(error.label)")
            return Answer()
        }
    }

    private func note(_ what: String, _ answer: Answer) -> Int64 {
        if !isTroubled, !Task.isCancelled {
            parts.logger.warning(
                "The markets' tickers cannot be had",
                metadata: ["of": "\(what)", "status": "\(answer.status)", "bytes": "\(answer.body.count)"])
        }
        isTroubled = true
        return answer.pause
    }

    private func noteSuccess() -> Int64? {
        if isTroubled { parts.logger.notice("The markets' tickers come again") }
        isTroubled = false
        return nil
    }
}
