import Instruments
import Testing
import Wire

@testable import FeedIngestion

@Suite("What the parts of a venue's feed say together")
struct VenueReportTests {
    private let now = Timestamp(nanoseconds: 1_000_000_000_000)

    private func figures(
        _ state: FeedFigures.State, _ detail: String = "", messages: UInt64 = 0, live: Int = 0
    ) -> FeedFigures {
        var figures = FeedFigures()
        figures.state = state
        figures.detail = detail
        figures.messages = messages
        figures.booksLive = live
        figures.booksTotal = 2
        return figures
    }

    private func report(_ parts: [FeedFigures]) -> VenueReport {
        var report = VenueReport()
        for (number, figures) in parts.enumerated() { report.note(figures, of: number, at: now) }
        return report
    }

    @Test("adds what is counted, and keeps the counts of a part that has ended")
    func sums() {
        var report = report([figures(.live, messages: 5, live: 2), figures(.live, messages: 7, live: 1)])
        #expect(report.figures().messages == 12)
        #expect(report.figures().booksLive == 3 && report.figures().booksTotal == 4)
        report.end(0)
        #expect(report.figures().messages == 12)
        #expect(report.figures().booksLive == 1 && report.figures().booksTotal == 2)
        #expect(report.first == 1)
        report.note(figures(.live, messages: 3), of: 0, at: now)
        #expect(report.figures().messages == 15 && report.first == 0)
    }

    @Test("one that has lost its connection counts for all, and says of how many")
    func disconnected() {
        let report = report([figures(.live), figures(.disconnected, "gone"), figures(.silent)])
        #expect(report.figures().state == .disconnected)
        #expect(report.figures().detail == "1 of 3 parts: gone")
    }

    @Test("that the venue wants to be left alone is said first, also of one that is connected")
    func banned() {
        var other = figures(.live)
        other.ban = "banned until 2026-01-01T00:00:00Z: status 418 to a request"
        #expect(report([figures(.disconnected, "gone"), other]).figures().detail == other.ban)
    }

    @Test("one that connects for the first time leaves the others as they are")
    func connecting() {
        #expect(report([figures(.live), figures(.connecting, "refused")]).figures().state == .live)
        #expect(report([figures(.connecting), figures(.connecting)]).figures().state == .connecting)
        #expect(report([figures(.silent), figures(.live)]).figures().state == .live)
        #expect(report([figures(.connecting, "refused")]).figures().detail == "refused")
    }

    @Test("is not recent when any part has been silent for longer than five seconds")
    func recent() {
        var report = report([figures(.live), figures(.live)])
        let later = now.adding(nanoseconds: 6_000_000_000)
        #expect(report.isRecent(at: now) && !report.isRecent(at: later))
        report.note(figures(.live), of: 0, at: later)
        #expect(!report.isRecent(at: later))
        report.note(figures(.live), of: 1, at: later)
        #expect(report.isRecent(at: later))
    }
}
