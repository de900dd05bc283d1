/// Violations of ``CodeRules`` and ``VenueRules``, and code that only looks like one: text, and the lines
/// where it must be found.
enum PlantedCode {
    static let all: [Planted] = tasks + domain + locks + services + venues + tests + unsafety

    private static let tasks: [Planted] =
        Planted.cases(
            CodeRules.looseTask, in: "Sources/Adapters/Bus/A.swift",
            [
                "let a = 1\nTask { await run() }": [2],
                "Task.detached(priority: .high) { }": [1],
                "Task<Void, Never>(name: label) {\n}": [1],
                "Task(priority: .low) {": [1],
                "let task = Task.detached": [1],
                "// Task { is refused\nlet a = \"Task {\"": [],
                "await withTaskGroup(of: Int.self) { $0 }": [],
                "try Task.checkCancellation()": [],
            ])
        + Planted.cases(CodeRules.looseTask, in: "Tests/BusTests/A.swift", ["Task { await run() }": []])

    private static let domain: [Planted] =
        Planted.cases(
            CodeRules.foundationInDomain, in: "Sources/Domain/Instruments/A.swift",
            [
                "public import Foundation": [1],
                "import Testing\nimport FoundationEssentials": [2],
                "import MarketData": [],
            ])
        + Planted.cases(
            CodeRules.foundationInDomain, in: "Sources/Adapters/Store/A.swift", ["import Foundation": []])
        + Planted.cases(
            CodeRules.floatInDomain, in: "Sources/Domain/MarketData/A.swift",
            [
                "let a: Int\nlet b = Double(a)": [2],
                "var a: [Float]": [1],
                "/// Never a Double.\nlet a: Int": [],
            ])
        + Planted.cases(CodeRules.floatInDomain, in: "Sources/Adapters/Web/A.swift", ["let a: Double": []])

    private static let locks: [Planted] = Planted.cases(
        CodeRules.lockedFunction, in: "Sources/Adapters/Bus/A.swift",
        [
            "let a = 1\nlet b = Mutex<(@Sendable (Int, Set<Key>) -> Void)?>(nil)": [2],
            "let a: Mutex<@Sendable () -> Void>": [1],
            "let a: Mutex<(count: Int, tell: () -> Void)>": [1],
            "let a = Mutex<[@Sendable () -> Void]>([])": [],
            "let a = Mutex<(status: Int32?, waiting: [() -> Void])>((nil, []))": [],
            "let a = Mutex<Observer?>(nil)": [],
        ])

    private static let services: [Planted] =
        Planted.cases(
            CodeRules.statementType, in: "Sources/Stores/MarketStore/A.swift",
            [
                "struct FindTrade: Statement {": [1],
                "protocol Row: CopyRow, Statement where Row == Void {}": [1],
                "func run(_ statement: some Statement) {\n    let a: Statement": [],
            ])
        + Planted.cases(
            CodeRules.statementType, in: "Sources/Adapters/Store/A.swift", ["struct A: Statement {": []])
        + Planted.cases(
            CodeRules.printing, in: "Sources/Adapters/Bus/A.swift",
            [
                "func run() {\n    print(\"here\")\n}": [2],
                "debugPrint(book)": [1],
                "printer.print(line)\nfootprint(line)": [],
            ])
        + Planted.cases(
            CodeRules.printing, in: "Sources/Services/OperatorCommands/A.swift", ["print(line)": []])
        + Planted.cases(CodeRules.printing, in: "Sources/Programs/bitpal/Main.swift", ["print(line)": []])
        + Planted.cases(
            CodeRules.handMadeJSON, in: "Sources/Services/OperatorCommands/Trades/A.swift",
            [
                "func show() {\n    var line = JSONWriter()\n}": [2],
                "func write(to line: inout JSONWriter) {": [1],
                "// A JSONWriter is refused.\nstruct A: WireBody {}": [],
                "// tidy: hand-made-json A row is an array.\nvar line = JSONWriter()": [],
            ])
        + Planted.cases(
            CodeRules.handMadeJSON, in: "Sources/Services/GatewayAPI/A.swift",
            ["var writer = JSONWriter()": []])
        + Planted.cases(
            CodeRules.fatalErrors, in: "Sources/Adapters/Venues/A.swift",
            ["default: fatalError(\"unknown\")": [1], "preconditionFailure(\"run twice\")": []])
        + Planted.cases(
            CodeRules.vagueTypeName, in: "Sources/Adapters/Bus/A.swift",
            ["final class SocketManager {}": [1], "enum BookHelpers {}": [1], "struct ManagerOffice {}": []])

    private static let venues: [Planted] =
        Planted.cases(
            VenueRules.venueName, in: "Sources/Services/FeedIngestion/A.swift",
            [
                "let a = 1\nif id.venue == .kraken { return }": [2],
                "configuration.krakenInterface = .v2": [1],
                "switch venue {\ncase .bitmex: 1\ncase .binanceUS: 2\n}": [2, 3],
                "let venue = Venue(rawValue: \"kraken\")": [1],
                "guard name == \"binance-usdm\" else { return }": [1],
                "/// As Kraken says.\nlet a = 1  // not \"kraken\"": [],
                "let accepted = \"a venue such as \\\"kraken\\\" or bitmex\"": [],
                "let form = #\"{\"venue\":\"kraken\"}\"#": [],
            ])
        + Planted.cases(
            VenueRules.venueName, in: "Sources/Adapters/Venues/SessionCore.swift",
            ["let isInverse = venue == .bitmex": [1]])
        + Planted.cases(
            VenueRules.venueName, in: "Sources/Adapters/Venues/Kraken/A.swift", ["KrakenText.v1": []])
        + Planted.cases(
            VenueRules.venueName, in: "Sources/Adapters/Venues/VenueCatalogue.swift",
            ["Kraken.description": []])
        + Planted.cases(
            VenueRules.venueName, in: "Sources/Adapters/ForeignLedgers/A.swift", ["enum Kraken {}": []])
        + Planted.cases(
            VenueRules.venueName, in: "Tests/VenuesTests/A.swift", ["let venue = Venue.kraken": []])

    private static let tests: [Planted] =
        Planted.cases(
            CodeRules.sleepInTests, in: "Tests/BusTests/A.swift",
            [
                "try await Task.sleep(for: .seconds(1))": [1],
                "a()\nusleep(10)\nclock.sleep(1)": [2, 3],
                "func sleep(until deadline: Instant) {": [],
            ])
        + Planted.cases(
            CodeRules.sleepInTests, in: "Sources/Adapters/Web/A.swift", ["clock.sleep(for: wait)": []])
        + Planted.cases(
            CodeRules.otherTestLibrary, in: "Tests/BusTests/A.swift",
            ["@testable import XCTest": [1], "import Testing": []])
        + Planted.cases(
            CodeRules.discardedComparison, in: "Tests/BusTests/A.swift",
            [
                "#expect(throws: Never.self) {\n    let a = try b()\n    return a == 1\n}": [1],
                "#expect(throws: Never.self) { try b() }\n#expect(a == 1)": [],
            ])

    private static let unsafety: [Planted] = Planted.cases(
        CodeRules.unexplainedUnsafety, in: "Sources/Adapters/Bus/A.swift",
        [
            "final class A: @unchecked Sendable {}": [1],
            "nonisolated(unsafe) var a = 0": [1],
            "// SAFETY: only `run` touches it.\nfinal class A: @unchecked Sendable {}": [],
            "// SAFETY: of nine lines\n" + nineTimes("// more") + "nonisolated(unsafe) var a = 0": [],
            "// SAFETY: of another\n" + nineTimes("let b = 1") + "nonisolated(unsafe) var a = 0": [11],
            "// an @unchecked Sendable would do": [],
        ])

    private static func nineTimes(_ line: String) -> String {
        String(repeating: "\(line)\n", count: 9)
    }
}
