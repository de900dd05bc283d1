import Foundation
import Instruments
import Web

/// What one more transaction costs on a ledger that has many, asked for over HTTP, beside one that has none.
enum LedgerPostBench {
    private static let (rows, posts) = (100_000, 1_000)
    private static let goal = 5.0
    /// When is posted what comes after a ledger's last transaction, and what comes before its first one.
    private static let (after, before): (Int64, Int64) = (
        1_780_272_000_000_000_000, 1_735_603_200_000_000_000
    )

    /// Measures.
    ///
    /// - Parameters:
    ///   - address: Of the gateway.
    ///   - token: The file with what whoever works on the machine shows it.
    /// - Returns: The 99th percentile, in milliseconds, at the end of the ledger and at its beginning.
    /// - Throws: `BenchFailure` when something is refused.
    static func run(_ address: String, token: String) async throws -> [Measurement] {
        let secret = try String(contentsOfFile: token, encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let post = Post(address: address, token: secret)
        let small = try await post.portfolio("Small", rows: 1)
        let large = try await post.portfolio("Large", rows: rows)
        // One after the other, so that neither has the other's share of the processor.
        let alone = try await percentile(post, small)
        let among = try await percentile(post, large)
        let first = try await percentile(post, large, from: before, count: posts / 10)
        return [
            Measurement(
                "web: POST of one transaction on a ledger of \(rows), p99", "ms", among, goal: "5 ms",
                meets: among <= goal, baseline: "on a ledger of 1", baselineValue: alone),
            Measurement(
                "web: POST of one transaction before \(rows) others, p99", "ms", first, goal: "",
                meets: nil, baseline: "behind them", baselineValue: among),
        ]
    }

    private static func percentile(
        _ post: Post, _ path: String, from start: Int64 = after, count: Int = posts
    ) async throws -> Double {
        var times: [Double] = []
        for number in 0..<count {
            let time = Timestamp(nanoseconds: start + Int64(number) * 1_000_000_000)
            let body = """
                {"time":"\(time.plain)","kind":"deposit","wallet":"Main","asset":"BTC","amount":"1",\
                "external_id":"post-\(start)-\(number)"}
                """
            let begin = ContinuousClock.now
            _ = try await post.send("\(path)/transactions?new_asset=true", body)
            let (seconds, attoseconds) = (ContinuousClock.now - begin).components
            times.append(Double(seconds) * 1_000 + Double(attoseconds) / 1e15)
        }
        return times.sorted()[count * 99 / 100]
    }
}

/// Somebody who posts, over one connection.
private struct Post {
    let address: String
    let token: String
    private let client = HTTPClient()

    init(address: String, token: String) { (self.address, self.token) = (address, token) }

    /// The body of the answer.
    func send(_ path: String, _ body: String) async throws -> [UInt8] {
        let answer = try await client.send(
            "POST", address + path,
            headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
            body: Array(body.utf8), timeout: .seconds(600))
        guard answer.status == 201 else {
            throw BenchFailure(
                "POST \(path): \(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
        }
        return answer.body
    }

    /// The path of a new portfolio with so many transactions, a minute apart.
    func portfolio(_ name: String, rows count: Int) async throws -> String {
        struct Made: Decodable { var id: String }
        let made = try JSONDecoder().decode(
            Made.self, from: Data(try await send("/v1/portfolios", #"{"name":"\#(name)","base":"USD"}"#)))
        var text = "time,kind,wallet,asset,amount,external_id\\n"
        for number in 0..<count {
            let time = Timestamp(nanoseconds: 1_735_689_600_000_000_000 + Int64(number) * 60_000_000_000)
            let (kind, amount) = number % 2 == 0 ? ("deposit", "1") : ("withdrawal", "0.5")
            text += "\(time.plain),\(kind),Main,BTC,\(amount),row-\(number)\\n"
        }
        let path = "/v1/portfolios/\(made.id)"
        _ = try await send(
            "\(path)/import", #"{"format":"csv","allow_unknown_assets":true,"text":"\#(text)"}"#)
        return path
    }
}
