import Foundation
import Testing

@Suite("Candles from files in every form", .timeLimit(.minutes(10)))
struct CandleFormsTests {
    /// The script makes the files, and aggregates them with exact decimals of its own.
    @Test("are what an independent program makes, and what cannot be read is refused with its line")
    func independentCheck() async throws {
        let environment = ProcessInfo.processInfo.environment
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Tools/check_candles.py").path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", script, BitpalExecutable.path, environment["SOAK"] == nil ? "80" : "20000",
            environment["SEED"] ?? "1",
        ]
        let output = Pipe()
        process.standardError = output
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
    }
}
