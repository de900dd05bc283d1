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
        help: "Only these parts: decode book state builder bus alerts notifier portfolio up store stream web."
    )
    var only: [String] = []
    @Option(help: ArgumentHelp("Be the clients of the gateway on this port.", visibility: .private))
    var streamClients: Int?

    func run() async throws {
        if let streamClients { return try await StreamLoad.run(port: streamClients) }
        var rows: [Measurement] = []
        func wants(_ part: String) -> Bool { only.isEmpty || only.contains(part) }
        let hasRecordings = FileManager.default.fileExists(atPath: recordings)
        if !hasRecordings { print("no recordings in \(recordings): what needs them is left out") }
        if wants("builder") { rows.append(try BuilderBench.memoryRow()) }
        if wants("decode"), hasRecordings {
            rows += try DecodeBench.run(recordings: recordings, peers: peerRates())
        }
        let book = "\(recordings)/binanceusdm_btcusdt_20240808.jsonl.gz"
        if wants("book"), FileManager.default.fileExists(atPath: book) {
            rows += try BookBench.run(recording: book)
        }
        if wants("state") { rows += MarketStateBench.run() }
        if wants("builder") { rows += try BuilderBench.run() }
        if wants("portfolio") { rows += try PortfolioBench.run(peers: rp2Rate()) }
        if wants("bus") { rows += try await BusBench.run(plain: plainZeroMQ()) }
        if wants("store") { rows += try await StoreBench.run() }
        if wants("alerts") { rows += try AlertBench.run() }
        if wants("evaluator") { rows += try await EvaluatorBench.run() }
        if wants("notifier") { rows += try await NotifierBench.run() }
        if wants("stream") { rows += try await StreamBench.run() }
        if wants("web") { rows += try await WebBench.run() }
        if wants("up") { rows += try await UpBench.run(sessions()) }
        print(machine())
        for row in rows { print(row.line) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
        try encoder.encode(rows).write(to: URL(fileURLWithPath: output))
        print("written to \(output)")
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
