import Foundation
import Support
import Web

/// The gateway of `bitpal up` in demo, with its market moving: wrk beside nginx, and the page in Chromium.
enum WebBench {
    private static let seconds = 5
    private static let connections = 64
    /// The Debian packages of the tools.
    private static let packages = [
        "wrk": "wrk", "nginx": "nginx", "chromedriver": "chromium chromium-driver python3-selenium",
    ]
    private static let routes = [
        ("/v1/quote", "/v1/quote/BTC-USD"), ("/v1/books", "/v1/books/bitmex:XBTUSD"),
    ]

    static func run() async throws -> [Measurement] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "bitpal-bench-web-\(getpid())"
        ).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let base = try FreePorts.run(of: 8)
        let up = try start(
            CommandLine.arguments[0].replacingOccurrences(of: "bitpal-bench", with: "bitpal"),
            ["up", "--profile", "demo", "--http", "127.0.0.1:\(base + 5)", "--data-dir", folder + "/data"],
            [
                "BITPAL_BUS": "tcp://127.0.0.1:\(base)",
                "BITPAL_VENUE_SIMULATOR_ADDRESS": "127.0.0.1:\(base + 3)",
                "BITPAL_UP_OPERATIONS_ADDRESS": "127.0.0.1:\(base + 4)",
                "BITPAL_GATEWAY_REQUESTS_PER_MINUTE": "1000000000",
                "BITPAL_GATEWAY_CONNECTIONS_PER_ADDRESS": "4096",
            ])
        defer { stop(up) }
        let address = "http://127.0.0.1:\(base + 5)"
        var bodies: [Data] = []
        for (_, path) in routes { bodies.append(try await body(of: address + path, while: up)) }
        return try await routeRows(address, bodies, folder, port: Int(base) + 6)
            + LedgerPostBench.run(address, token: folder + "/data/operator.token")
            + signInRows(address, folder) + pageRows(address)
    }

    // MARK: - wrk and nginx

    private static func routeRows(
        _ address: String, _ bodies: [Data], _ folder: String, port: Int
    ) throws -> [Measurement] {
        if let missing = missing("wrk") ?? missing("nginx") {
            return routes.map { Measurement("web: \($0.0), wrk", "1/s", 0, goal: missing, meets: nil) }
        }
        for (number, body) in bodies.enumerated() {
            try body.write(to: URL(fileURLWithPath: "\(folder)/\(number)"))
        }
        try configuration(folder, port).write(
            toFile: folder + "/nginx.conf", atomically: true, encoding: .utf8)
        // Its error log at the start is nobody's.
        let nginx = try start(
            file(of: "nginx") ?? "", ["-p", folder, "-e", "/dev/null", "-c", folder + "/nginx.conf"], [:])
        defer { stop(nginx) }
        return try routes.enumerated().map { number, route in
            // One after the other, so that neither has the other's share of the processor.
            let ours = try rate(address + route.1)
            let theirs = try rate("http://127.0.0.1:\(port)/\(number)")
            return Measurement(
                "web: \(route.0), \(bodies[number].count) bytes, \(connections) connections", "1/s", ours,
                goal: "half of nginx", meets: ours * 2 >= theirs,
                baseline: "nginx, a file of the same size", baselineValue: theirs)
        }
    }

    private static func configuration(_ folder: String, _ port: Int) -> String {
        """
        daemon off; worker_processes auto; pid \(folder)/nginx.pid;
        events {}
        http {
            access_log off; error_log /dev/null; default_type application/json; sendfile on;
            keepalive_requests 100000000; client_body_temp_path \(folder)/temporary;
            proxy_temp_path \(folder)/p; fastcgi_temp_path \(folder)/f; uwsgi_temp_path \(folder)/u;
            scgi_temp_path \(folder)/s;
            server { listen 127.0.0.1:\(port); root \(folder); }
        }

        """
    }

    /// Answers a second; all of them good ones.
    private static func rate(_ address: String) throws -> Double {
        let text = try output(
            file(of: "wrk") ?? "", ["-t", "2", "-c", "\(connections)", "-d", "\(seconds)s", address], [:])
        if text.contains("Non-2xx") || text.contains("Socket errors: connect") {
            throw BenchFailure("\(address) refused some: \(text)")
        }
        let line = text.split(separator: "\n").first { $0.hasPrefix("Requests/sec:") }
        guard let rate = line?.split(separator: " ").last.flatMap({ Double($0) }) else {
            throw BenchFailure("wrk said no rate: \(text)")
        }
        return rate
    }

    // MARK: - Sign-ins

    /// Each of another account, so that nobody is throttled: what is measured are hashes.
    private static let signIn = """
        local count = 0
        request = function()
            count = count + 1
            local body = '{"email":"user' .. count .. '@example.org","password":"not the right one"}'
            return wrk.format("POST", "/v1/auth/sign-in", {
                ["Content-Type"] = "application/json", ["Sec-Fetch-Site"] = "same-origin",
            }, body)
        end
        """

    /// What 200 parallel sign-ins do to a route that has nothing to do with them (RELIABILITY, S1).
    private static func signInRows(_ address: String, _ folder: String) throws -> [Measurement] {
        let name = "web: /health/live p99 beside 200 parallel sign-ins"
        if let missing = missing("wrk") { return [Measurement(name, "ms", 0, goal: missing, meets: nil)] }
        let (script, wrk) = (folder + "/sign-in.lua", file(of: "wrk") ?? "")
        try signIn.write(toFile: script, atomically: true, encoding: .utf8)
        let idle = try latency(address + "/health/live")
        let storm = try start(
            wrk,
            ["-t", "1", "-c", "200", "-d", "\(seconds + 4)s", "--timeout", "30s", "-s", script, address],
            [:])
        defer { stop(storm) }
        let beside = try latency(address + "/health/live")
        return [
            Measurement(
                name, "ms", beside, goal: "10 x idle", meets: beside <= idle * 10, baseline: "idle",
                baselineValue: idle)
        ]
    }

    /// The 99th percentile of one connection that asks without a pause, in milliseconds.
    private static func latency(_ address: String) throws -> Double {
        let text = try output(
            file(of: "wrk") ?? "", ["-t", "1", "-c", "1", "-d", "\(seconds)s", "--latency", address], [:])
        let line = text.split(separator: "\n").first { $0.contains("99%") }
        guard let word = line?.split(separator: " ").last else { throw BenchFailure("wrk said no latency") }
        for (unit, factor) in [("us", 0.001), ("ms", 1), ("s", 1_000)] where word.hasSuffix(unit) {
            if let number = Double(word.dropLast(unit.count)) { return number * factor }
        }
        throw BenchFailure("wrk said \(word)")
    }

    // MARK: - The page

    private struct Visit: Decodable {
        var first_quote_ms: Double
        var bytes: Double
        var requests: Double
    }

    private static func pageRows(_ address: String) throws -> [Measurement] {
        let names = ["page: body bytes of the first visit, compressed", "page: to the first live quote"]
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Tests/PageTests/chromium/measure.py").path
        let absent = FileManager.default.fileExists(atPath: script) ? nil : "needs the source tree"
        if let missing = missing("chromedriver") ?? absent {
            return names.map { Measurement($0, "-", 0, goal: missing, meets: nil) }
        }
        let text = try output("/usr/bin/python3", [script], ["PAGE_URL": address])
        let visit = try JSONDecoder().decode(Visit.self, from: Data(text.utf8))
        return [
            Measurement(
                names[0], "kB", visit.bytes / 1_000, goal: "250 kB", meets: visit.bytes < 250_000,
                baseline: "files", baselineValue: visit.requests),
            Measurement(
                names[1], "ms", visit.first_quote_ms, goal: "1000 ms", meets: visit.first_quote_ms < 1_000),
        ]
    }

    // MARK: - Processes

    /// What is to be installed for a tool that is not there.
    private static func missing(_ tool: String) -> String? {
        file(of: tool) == nil ? "not measured: apt-get install \(packages[tool] ?? tool)" : nil
    }

    /// Where a tool is; servers are in folders that not everybody has in PATH.
    private static func file(of tool: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (path.split(separator: ":") + ["/usr/sbin", "/usr/bin"]).map { "\($0)/\(tool)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static func process(
        _ file: String, _ arguments: [String], _ environment: [String: String]
    ) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: file)
        process.arguments = arguments
        let own = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("BITPAL_") }
        process.environment = own.merging(environment) { _, new in new }
        return process
    }

    private static func start(
        _ file: String, _ arguments: [String], _ environment: [String: String]
    ) throws -> Process {
        let process = process(file, arguments, environment)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private static func stop(_ process: Process) {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
    }

    private static func output(
        _ file: String, _ arguments: [String], _ environment: [String: String]
    ) throws -> String {
        let process = process(file, arguments, environment)
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchFailure("\(file) ended with \(process.terminationStatus)")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// An answer, once there is one.
    private static func body(of address: String, while process: Process) async throws -> Data {
        let client = HTTPClient()
        while process.isRunning {
            if let answer = try? await client.get(address), answer.status == 200 { return Data(answer.body) }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw BenchFailure("bitpal up ended before it answered \(address)")
    }
}
