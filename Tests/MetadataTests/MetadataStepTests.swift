import Instruments
import MarketStore
import Testing

@testable import Metadata

@Suite("When metadata is due")
struct MetadataTimeTests {
    @Test(
        "failures are answered with more and more patience, and with what the provider asks for",
        arguments: [
            (0, nil, 60), (1, nil, 120), (5, nil, 1_920), (6, nil, 3_600), (60, nil, 3_600),
            (0, 600, 600), (3, 30, 480), (0, 1_000_000, 86_400),
        ] as [(Int, Int?, Int)])
    func patience(_ failures: Int, _ asked: Int?, _ seconds: Int) {
        let wait = AssetUpdate.patience(after: failures, asked: asked.map { .seconds($0) })
        #expect(wait == .seconds(seconds))
    }

    @Test("scores are made shortly after each hour, sooner while there are none of whole hours")
    func trending() {
        let minute: Int64 = 60_000_000_000
        let now = Timestamp(nanoseconds: 600 * minute + 50 * minute)
        func wait(_ count: Int, _ isWhole: Bool) -> Duration {
            TrendingTask.wait(after: .init(count: count, isWhole: isWhole), at: now)
        }
        #expect(wait(0, false) == .seconds(30) && wait(3, false) == .seconds(300))
        #expect(wait(3, true) == .seconds(12 * 60))
    }
}
