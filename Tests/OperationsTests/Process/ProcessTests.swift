import Logging
import NIOPosix
import Support
import Testing

@testable import Operations

@Suite("Process")
struct ProcessTests {
    @Test("reads its arguments")
    func arguments() throws {
        #expect(try ProcessArguments([]).configurationPath == nil)
        #expect(try ProcessArguments(["--config", "a.json"]).configurationPath == "a.json")
        #expect(try ProcessArguments(["--config=a.json", "-h"]).configurationPath == "a.json")
        #expect(try ProcessArguments(["--help"]).asksForHelp)
        #expect(try ProcessArguments(["--version"]).asksForVersion)
        #expect(try !ProcessArguments(["--help"]).asksForVersion)
    }

    @Test(
        "refuses arguments that it does not know",
        arguments: [["--port", "1"], ["x"], ["--config"], ["--config="]])
    func unknown(arguments: [String]) {
        #expect(throws: ConfigurationError.self) { try ProcessArguments(arguments) }
    }

    @Test("takes arguments of the program's own for keys, those of a list as often as wanted")
    func options() throws {
        let options = [
            ProcessOption(name: "--fault", key: Setting.list("faults", default: [], "x").key),
            ProcessOption(name: "--seed", key: Setting.integer("seed", default: 1, in: 0...9, "x").key),
        ]
        let arguments = try ProcessArguments(
            ["--fault", "a:1", "--seed=7", "--fault=b", "--config", "c"], options: options)
        #expect(arguments.overrides == ["faults": "a:1,b", "seed": "7"])
        #expect(arguments.configurationPath == "c")
        for refused in [["--seed", "1", "--seed", "2"], ["--fault"], ["--seed="], ["--faults", "a"]] {
            #expect(throws: ConfigurationError.self) { try ProcessArguments(refused, options: options) }
        }
        let help = HelpText.of(service: "venue-simulator", keys: options.map(\.key), options: options)
        #expect(help.contains("[--config PATH] [--fault FAULTS] … [--seed SEED] [--version]"))
    }

    @Test(
        "a configuration error ends with 78 before anything starts",
        arguments: [
            ["--bogus"], ["--config", "/nonexistent/config.json"],
        ])
    func configuration(arguments: [String]) async {
        let launch = ProcessLaunch(name: "notifier", keys: [], arguments: arguments, overrides: [:])
        let status = await launch.run { _ in
            Issue.record("assembled")
            return []
        }
        #expect(status == .configuration)
    }

    @Test("statuses are those that the operators' tools know")
    func statuses() {
        let statuses: [Operations.ExitStatus] = [
            .success, .failed, .usage, .notFound, .unreachable, .software, .configuration,
        ]
        #expect(statuses.map(\.rawValue) == [0, 1, 2, 3, 4, 70, 78])
    }

    @Test("instances are UUIDs of version 4, each another")
    func instances() throws {
        property { generator in
            let text = InstanceID.make(using: &generator)
            let parts = text.split(separator: "-")
            try #require(parts.map(\.count) == [8, 4, 4, 4, 12])
            try #require(parts[2].first == "4" && "89ab".contains(parts[3].first ?? " "))
            try #require(text.allSatisfy { $0 == "-" || $0.isHexDigit && !$0.isUppercase })
            try #require(text != InstanceID.make(using: &generator))
        }
    }

    @Test("a part of a process has its own variables over its defaults, and the shared ones")
    func parts() throws {
        let key = Setting.integer("batch", default: 1, in: 1...9, "x")
        let process = ServiceProcess(
            name: "up", settings: try Settings.load(service: "up"), logger: Logger(label: "test"),
            health: HealthRegistry(), metrics: MetricsRegistry(),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            environment: ["BITPAL_FEED_INGESTOR_BATCH": "5", "BITPAL_BUS": "tcp://h:1", "BITPAL_UP_X": "1"])
        let settings = try process.settings(for: "feed-ingestor", keys: [key.key])
        #expect(settings[key] == 5)
        #expect(settings[SharedSettings.bus] == "tcp://h:1")
        #expect(
            try process.settings(for: "feed-ingestor", keys: [key.key], overrides: ["batch": "7"])[key] == 7)
        #expect(throws: ConfigurationError.self) {
            try process.settings(for: "feed-ingestor", keys: [key.key], overrides: ["batch": "70"])
        }
    }

    @Test("no two services share a port, and every name makes its own variables")
    func catalogue() {
        let ports = ServiceCatalogue.names.compactMap(ServiceCatalogue.operationsPort)
        #expect(ports.count == ServiceCatalogue.names.count)
        #expect(Set(ports).count == ports.count)
        #expect(ServiceCatalogue.variablePrefix(of: "feed-ingestor") == "BITPAL_FEED_INGESTOR_")
    }
}
