import Foundation

/// Suspends until something is true; the suite's time limit ends what never comes.
///
/// Between two looks there are 5 ms in which whoever is waited for has the processor: a wait that looks
/// without a pause takes a core from it and floods it with questions; `pause` is longer where a look is work
/// for whoever is waited for. After a minute it says where it is.
///
/// - Throws: `CancellationError` when the time of the test is over, and what `condition` throws.
package func eventually(
    every pause: Duration = .milliseconds(5), _ condition: () async throws -> Bool,
    file: StaticString = #fileID, line: UInt = #line
) async throws {
    var looks = PollPauses(file: "\(file)", line: line)
    while try await !condition() { try await looks.pause(pause) }
}

/// Suspends until nothing is missing; what is missing is said each minute.
///
/// - Throws: As ``eventually(_:file:line:)``.
package func eventuallyNothing(
    every pause: Duration = .milliseconds(5), _ missing: () async throws -> String?,
    file: StaticString = #fileID, line: UInt = #line
) async throws {
    var looks = PollPauses(file: "\(file)", line: line)
    while let text = try await missing() { try await looks.pause(pause, missing: text) }
}

/// Repeats what is refused while somebody is away, such as PostgreSQL; other errors are thrown.
package func insist<Value>(
    while isRefusal: (any Error) -> Bool, file: StaticString = #fileID, line: UInt = #line,
    _ body: () async throws -> Value
) async throws -> Value {
    var looks = PollPauses(file: "\(file)", line: line)
    while true {
        do {
            return try await body()
        } catch {
            guard isRefusal(error) else { throw error }
            try await looks.pause()
        }
    }
}

/// Pauses between looks at what is waited for.
package struct PollPauses {
    private let place: String
    private let begin = ContinuousClock.now
    private var minutes: Int64 = 1

    /// Begins to wait.
    package init(file: String = #fileID, line: UInt = #line) { place = "\(file):\(line)" }

    /// Gives whoever is waited for some time.
    ///
    /// - Parameters:
    ///   - time: How much.
    ///   - missing: What has not come yet, for who reads why a test waited.
    /// - Throws: `CancellationError` when the time of the test is over.
    package mutating func pause(
        _ time: Duration = .milliseconds(5), missing: String = ""
    ) async throws {
        try await Task.sleep(for: time)
        guard ContinuousClock.now - begin > .seconds(60 * minutes) else { return }
        FileHandle.standardError.write(Data("\(place) has waited for \(minutes) min \(missing)\n".utf8))
        minutes += 1
    }
}
