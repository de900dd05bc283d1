import Instruments
import MarketStore
import Providers
import Store
import Support
import Synchronization
import Web

@testable import Metadata

/// A provider whose answers a test sets, with a clock that only waiting moves.
final class Provider: Sendable {
    struct State {
        var now: Int64 = 1_800_000_000_000_000_000
        var urls: [String] = []
        var headers: [[String: String]] = []
        var waits: [Int64] = []
        var answers: [String: MetadataEnvironment.Answer] = [:]
        var isAway = false
    }

    static let root = "http://x"
    let state = Mutex(State())
    let figures = MetadataFigures()

    /// What is answered to a path and query; 404 to all others.
    func answer(_ path: String, _ body: String, status: Int = 200, retryAfter: Duration? = nil) {
        let answer = MetadataEnvironment.Answer(
            status: status, body: Array(body.utf8), retryAfter: retryAfter)
        state.withLock { $0.answers[Self.root + path] = answer }
    }

    func answer(coins body: String, category: String? = nil, page: Int = 1, status: Int = 200) {
        let url = MarketsPage.url(page, category: category, root: "")
        answer(url, body, status: status)
    }

    var urls: [String] {
        state.withLock { $0.urls.map { String($0.dropFirst("\(Self.root)/api/v3/coins/".count)) } }
    }

    func pass(_ nanoseconds: Int64) { state.withLock { $0.now += nanoseconds } }

    func forget() { state.withLock { ($0.urls, $0.waits) = ([], []) } }

    var environment: MetadataEnvironment {
        MetadataEnvironment(
            now: { Timestamp(nanoseconds: self.state.withLock { $0.now }) },
            pause: { wait in
                let nanoseconds = Int64(wait / .nanoseconds(1))
                self.state.withLock { state in
                    state.waits.append(nanoseconds)
                    state.now += nanoseconds
                }
            },
            fetch: { request, _ throws(WebError) in
                let answer: MetadataEnvironment.Answer? = self.state.withLock { state in
                    state.urls.append(request.url)
                    state.headers.append(request.headers)
                    if state.isAway { return nil }
                    return state.answers[request.url]
                        ?? MetadataEnvironment.Answer(status: 404, body: [])
                }
                guard let answer else { throw WebError.nameUnresolved(host: "x", reason: "no such name") }
                return answer
            })
    }

    func update(
        _ database: Database, as instance: String = "one", pages: Int = 3, root: String = Provider.root
    ) -> AssetUpdate {
        var configuration = MetadataConfiguration()
        configuration.address = root
        configuration.pages = pages
        return AssetUpdate(
            database: database, configuration: configuration, instance: instance, environment: environment,
            figures: figures, logger: TestDatabase.logger)
    }
}

extension Database {
    /// Makes every task due, as time would.
    func hurry() async throws {
        struct Hurry: Statement {
            typealias Row = Void
            static let sql = "UPDATE market.task SET due_at = '-infinity'"
        }
        _ = try await execute(Hurry())
    }

    func task(_ name: String) async throws -> TaskRow? {
        try await tasks().first { $0.name == name }
    }

    func categories() async throws -> [String: [String]] {
        let rows = try await assets().map(\.asset)
        return Dictionary(rows.map { ($0.asset.rawValue, $0.categories) }) { $1 }
    }
}
