import Bus
import BusBroker
import Dispatch
import Foundation
import GatewayAPI
import GatewayFrame
import GatewayStream
import Hosting
import Instruments
import Logging
import Operations
import ServiceLifecycle
import Store
import Support
import Web
import Wire

/// From the bus through a gateway to 2,000 WebSocket clients in another process, ten updates/s each.
enum StreamBench {
    static let clients = 2_000
    static let instruments = 50
    private static let rate = 10
    private static let span = 15
    private static let logger = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }

    static func instrument(_ number: Int) -> InstrumentID {
        InstrumentID(venue: .kraken, symbol: "S\(number % instruments)/USD")
    }

    static func run() async throws -> [Measurement] {
        let context = try BusContext()
        let broker = try BusBroker(
            context: context, configuration: BusBrokerConfiguration(addresses: .anyLoopbackPort),
            instance: "bench", logger: logger)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await broker.run() }
            let addresses = try await broker.bound()
            let publisher = try Publisher(
                context: context,
                configuration: PublisherConfiguration(producer: "bench", addresses: addresses),
                logger: logger)
            var configuration = GatewayConfiguration()
            configuration.server.address = NetworkAddress(host: "127.0.0.1", port: 0)
            configuration.server.requestsPerMinute = 1_000_000_000
            configuration.server.connectionsPerAddress = configuration.server.connectionLimit
            configuration.budgets.streams.perAddress = configuration.server.connectionLimit
            // Tickers need no table: nobody is asked.
            let database = Database(
                configuration: try StoreConfiguration(url: "postgresql:///none"), logger: logger)
            let frame = ServiceFrame(instance: "bench", logger: logger)
                .on(context, at: addresses).with(database)
            let gateway = try Gateway.assembly(configuration, in: frame)
            for service in [database, publisher] + gateway.services {
                group.addTask { try await service.run() }
            }
            let port = try await gateway.bound().port
            for await event in publisher.events where event == .brokerAppeared { break }
            let rows = try await measure(publisher, port)
            group.cancelAll()
            return rows
        }
    }

    private static func measure(_ publisher: Publisher, _ port: Int) async throws -> [Measurement] {
        for number in 0..<instruments { try say(number, publisher) }
        // A name that the bus has not spoken of would be looked for in the database.
        let client = HTTPClient()
        while true {
            let known = try await client.get("http://127.0.0.1:\(port)/v1/tickers").body
            if String(decoding: known, as: UTF8.self).components(separatedBy: #""instrument""#).count
                > instruments
            {
                break
            }
        }
        let before = ProcessMemory()
        let load = Process()
        load.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        load.arguments = ["--stream-clients", "\(port)"]
        let (input, output) = (Pipe(), Pipe())
        (load.standardInput, load.standardOutput) = (input, output)
        try load.run()
        guard await line(of: output.fileHandleForReading) == "ready" else {
            throw BenchFailure("the clients did not connect")
        }
        let (start, work) = (seconds(), processorSeconds())
        let total = instruments * rate * span
        for slot in 0..<total {
            let due = start + Double(slot) / Double(instruments * rate)
            let pause = due - seconds()
            if pause > 0 { try await Task.sleep(for: .seconds(pause)) }
            try say(slot, publisher)
        }
        let cores = (processorSeconds() - work) / (seconds() - start)
        let after = ProcessMemory()
        try input.fileHandleForWriting.close()
        let line = await line(of: output.fileHandleForReading)
        load.waitUntilExit()
        let figures = try JSONDecoder().decode(StreamLoad.Figures.self, from: Data(line.utf8))
        let each = Double(clients) * 1_000
        return rows(
            figures, cores: cores, held: (after.privateBytes - before.privateBytes) / each,
            resident: (after.residentBytes - before.residentBytes) / each)
    }

    /// The next line, without its end; what there is at the end.
    private static func line(of file: FileHandle) async -> String {
        await withCheckedContinuation { continuation in
            // Reading waits: not on a thread that the gateway's tasks need.
            DispatchQueue.global().async {
                var bytes = Data()
                while let byte = try? file.read(upToCount: 1), byte.count == 1, byte != Data([10]) {
                    bytes += byte
                }
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    private static func rows(
        _ figures: StreamLoad.Figures, cores: Double, held: Double, resident: Double
    ) -> [Measurement] {
        let wanted = Double(clients * rate * span)
        return [
            Measurement(
                "stream: 2,000 clients, 10 updates/s each, p99", "ms", figures.p99, goal: "50 ms",
                meets: figures.p99 <= 50, baseline: "p50 of the same", baselineValue: figures.p50),
            Measurement(
                "stream: updates told", "1/s", Double(figures.changes) / Double(span), goal: "all of them",
                meets: Double(figures.changes) + Double(figures.skipped) >= wanted,
                baseline: "published for all clients", baselineValue: wanted / Double(span)),
            Measurement(
                "stream: private memory per client, gateway's side", "kB", held, goal: "printed", meets: nil,
                baseline: "resident", baselineValue: resident),
            Measurement(
                "stream: processor, gateway with bus and publisher", "cores", cores, goal: "printed",
                meets: nil),
        ]
    }

    /// The time of day travels as the time of the last trade.
    private static func say(_ number: Int, _ publisher: Publisher) throws {
        var day = Bitpal_V1_DayTicker()
        (day.priceScale, day.lastPrice, day.openPrice) = (2, 6_100_000 + Int64(number), 6_000_000)
        (day.highPrice, day.lowPrice, day.bidPrice, day.askPrice) = (
            6_200_000, 5_900_000, 6_100_000, 6_100_050
        )
        (day.baseVolume, day.quoteVolume, day.changePercent) = ("1234.5678", "75000000.25", "1.6667")
        day.lastTradeTimeUnixNanos = StreamLoad.now()
        let id = instrument(number)
        var batch = OutboundBatch()
        batch.append(.dayTicker(id, day), to: try publisher.topic(Topic.dayTicker(id)))
        publisher.offer(&batch)
    }

    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
