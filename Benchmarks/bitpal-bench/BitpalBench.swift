import ArgumentParser
import Foundation

/// `make bench`: measures, prints a table, writes it as JSON.
@main
struct BitpalBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bitpal-bench",
        abstract: "Measures Bitpal on this machine, each figure beside a baseline of the same run.")

    @Option(help: "Where the rows go as JSON.") var output = ".build/bench/latest.json"
    @Option(help: "The folder of recordings.") var recordings = "../shared/recordings"
    @Option(help: "What `make bench-peers` wrote, if it ran.") var peers = ".build/bench/peers.jsonl"
    @Option(help: "What the C program of Benchmarks/bus wrote.") var plain = ".build/bench/plain-zeromq.json"
    @Option(
        parsing: .upToNextOption,
        help: "Only these parts: \(Part.allCases.map(\.rawValue).joined(separator: " ")).")
    var only: [Part] = []
    @Option(help: ArgumentHelp("Be the clients of the gateway on this port.", visibility: .private))
    var streamClients: Int?

    /// What can be measured by itself, in the order of a whole run: memory before much was given back.
    enum Part: String, CaseIterable, ExpressibleByArgument {
        case memory, decode, book, state, builder, portfolio, bus, store, alerts, evaluator, notifier, stream,
            web, up
    }

    /// A part that fails is a row with its error, and the rest is measured all the same.
    func run() async throws {
        if let streamClients { return try await StreamLoad.run(port: streamClients) }
        let table = BenchTable(path: output)
        print(machine())
        for part in Part.allCases where only.isEmpty || only.contains(part) {
            do {
                try await table.add(measure(part))
            } catch {
                try table.add([Measurement(failureOf: part.rawValue, "\(error)")])
            }
        }
        print("written to \(output)")
        guard table.failures == 0 else { throw ExitCode.failure }
    }

    private func measure(_ part: Part) async throws -> [Measurement] {
        switch part {
        case .memory: [try BuilderBench.memoryRow()]
        case .decode: try DecodeBench.run(recordings: try recorded(recordings), peers: peerRates())
        case .book: try BookBench.run(recording: try recorded("\(recordings)/\(Self.longBook)"))
        case .state: MarketStateBench.run()
        case .builder: try BuilderBench.run()
        case .portfolio: try PortfolioBench.run(peers: rp2Rate())
        case .bus: try await BusBench.run(plain: plainZeroMQ())
        case .store: try await StoreBench.run()
        case .alerts: try AlertBench.run()
        case .evaluator: try await EvaluatorBench.run()
        case .notifier: try await NotifierBench.run()
        case .stream: try await StreamBench.run()
        case .web: try await WebBench.run()
        case .up: try await UpBench.run(sessions())
        }
    }

    private static let longBook = "binanceusdm_btcusdt_20240808.jsonl.gz"

    /// Recordings are not part of the project: what needs one that is not there cannot be measured.
    private func recorded(_ path: String) throws -> String {
        guard FileManager.default.fileExists(atPath: path) else {
            throw BenchFailure("needs recordings: \(path) is not there; --recordings names their folder")
        }
        return path
    }

    /// What `bitpal up` plays: as it was, and at some 20,000 messages a second (93,953 messages in 344.8 s).
    private func sessions() -> [UpBench.Session] {
        [
            UpBench.Session(
                name: "recorded speed", file: "\(recordings)/bitmex_20210722.jsonl.gz", speed: "1",
                seconds: 15),
            UpBench.Session(
                name: "20,000 messages/s", file: "\(recordings)/binanceusdm_btcusdt_20240808.jsonl.gz",
                speed: "73", seconds: 7),
        ].filter { FileManager.default.fileExists(atPath: $0.file) }
    }

    /// Messages a second of cryptofeed by recording.
    private func peerRates() -> [String: Double] {
        struct Row: Decodable {
            var name: String
            var messages_per_second: Double
        }
        guard let text = try? String(contentsOfFile: peers, encoding: .utf8) else { return [:] }
        var rates: [String: Double] = [:]
        for line in text.split(separator: "\n") {
            if let row = try? JSONDecoder().decode(Row.self, from: Data(line.utf8)) {
                rates[row.name] = row.messages_per_second
            }
        }
        return rates
    }

    /// What rp2 did on a ledger of the same shape, if it ran.
    private func rp2Rate() -> PortfolioBench.Peers? {
        guard let data = FileManager.default.contents(atPath: ".build/bench/rp2.json") else { return nil }
        return try? JSONDecoder().decode(PortfolioBench.Peers.self, from: data)
    }

    private func plainZeroMQ() -> PlainZeroMQ? {
        guard let data = FileManager.default.contents(atPath: plain) else { return nil }
        return try? JSONDecoder().decode(PlainZeroMQ.self, from: data)
    }

    /// The processor and its cores, since no figure means anything without them.
    private func machine() -> String {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        let name =
            model?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
            ?? "unknown processor"
        return "\(name), \(ProcessInfo.processInfo.activeProcessorCount) cores"
    }
}
