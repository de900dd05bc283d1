import Instruments
import PortfolioStore
import Store
import Synchronization
import Testing

@testable import GatewayAPI

@Suite("What links show", .timeLimit(.minutes(10)))
struct SharedViewsTests {
    private struct Missing: Error {}

    private static let portfolio = PortfolioID(rawValue: UniqueID(high: 1, low: 1))

    @Test("is reckoned once for who looks within seconds, anew after a change, and again where it failed")
    func once() async throws {
        let now = Mutex<Int64>(0)
        let count = Mutex(0)
        let views = SharedViews<Int> { Timestamp(nanoseconds: now.withLock { $0 }) }
        func look(change: Int64 = 1) async throws -> Int {
            try await views.view(of: Self.portfolio, change: change) {
                count.withLock { count in
                    count += 1
                    return count
                }
            }
        }
        for _ in 0..<3 { #expect(try await look() == 1) }
        #expect(count.withLock { $0 } == 1)
        _ = try await look(change: 2)
        #expect(count.withLock { $0 } == 2)
        now.withLock { $0 = SharedViews<Int>.freshNanoseconds }
        _ = try await look()
        #expect(count.withLock { $0 } == 3)
        await #expect(throws: Missing.self) {
            try await views.view(of: Self.portfolio, change: 3) { throw Missing() }
        }
        #expect(try await look(change: 3) == 4)
    }
}
