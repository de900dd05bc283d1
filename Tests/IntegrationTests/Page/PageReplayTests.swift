import Foundation
import Support
import Testing

@Suite(
    "The web page before recorded sessions", .serialized, .timeLimit(.minutes(30)),
    .enabled(if: Chromium.isThere, Chromium.advice),
    .enabled(if: RecordingsFolder.isAvailable))
struct PageReplayTests {
    /// Whoever comes late still sees it move: it is played again and again.
    @Test("moves with a recorded session")
    func moving() async throws {
        let (files, further) = try Self.recorded()
        try await look("Moving", playing: files, options: ["--loop"], further)
    }

    /// Demonstrates that the page shows what the exchange said, and not something like it.
    @Test("ends as a recorded session did, as the commands say and another implementation")
    func replay() async throws {
        let (files, further) = try Self.recorded()
        try await look("Replay", playing: files, further)
    }

    /// Two sessions, and what a test is told of them.
    private static func recorded() throws -> (files: [String], environment: [String: String]) {
        let sessions = [
            ("bitmex:XBTUSD", "bitmex_20210722"), ("binance-usdm:SUSHIUSDT", "binancefutures_20210722"),
        ]
        let recorded = try sessions.map { instrument, name in
            let summary = try #require(RecordingsFolder.expected(name, "summary.json"))
            return [instrument, String(summary.dropLast("/summary.json".count))]
        }
        let files = try sessions.map { try #require(RecordingsFolder.file($0.1)) }
        let named = try JSONSerialization.data(withJSONObject: recorded)
        let further = ["PAGE_RECORDED": String(decoding: named, as: UTF8.self)]
        return (files, further)
    }

    private func look(
        _ part: String, playing recordings: [String], options: [String] = [], _ further: [String: String]
    ) async throws {
        let installation = try await PageInstallation(playing: recordings, options: options)
        try await installation.look("replay_test.py", part, further)
        await installation.stop()
    }
}
