import HTTPTypes
import Hummingbird
import Instruments
import NIOCore
import Synchronization
import Testing

@testable import GatewayFrame

@Suite("Answers to many at once", .timeLimit(.minutes(10)))
struct AnswerCacheTests {
    @Test("are made once for the same question, anew when they are old, and never kept when they refuse")
    func life() async throws {
        let clock = ManualClock()
        let made = Mutex(0)
        let memo = AnswerCache { clock.now }
        func ask(_ path: String, status: HTTPResponse.Status = .ok) async throws -> String {
            let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: path)
            let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
            let response = try await memo.answer(request) {
                let number = made.withLock { made in
                    made += 1
                    return made
                }
                return .json(ByteBuffer(string: "\(number)"), status: status)
            }
            return String(buffer: try await BodyCollector.bytes(of: response.body))
        }
        #expect(try await ask("/a") == "1")
        #expect(try await ask("/a") == "1")
        #expect(try await ask("/a?depth=1") == "2")
        clock.advance(seconds: 1)
        #expect(try await ask("/a") == "3")
        #expect(try await ask("/gone", status: .notFound) == "4")
        #expect(try await ask("/gone", status: .notFound) == "5")
        for number in 0..<AnswerCache.limit { _ = try await ask("/\(number)") }
        #expect(try await ask("/a") == "\(6 + AnswerCache.limit)")
        let long = "/" + String(repeating: "a", count: 200)
        #expect(try await ask(long) != ask(long))
    }
}
