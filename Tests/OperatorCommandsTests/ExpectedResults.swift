import Foundation
import Glibc
import Instruments
import OperatorCommands
import Support

@testable import Recordings

/// The results that a recording must give, made by an independent program.
struct ExpectedResults {
    let name: String

    /// The recordings of every venue that we speak, whatever their names.
    static let names = RecordingsFolder.names { Venue.known.contains($0.venue) }

    /// `summary.json` as it stands.
    func summary() throws -> [String: Any] {
        let path = try Self.require(RecordingsFolder.expected(name, "summary.json"), name)
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return try Self.require(JSONSerialization.jsonObject(with: data) as? [String: Any], path)
    }

    /// The rows of a file such as `tob.jsonl.gz`; none where the recording has nothing of the kind.
    func forEachRow(_ file: String, _ body: (Any) throws -> Void) throws {
        guard let path = RecordingsFolder.expected(name, file) else { return }
        let descriptor = open(path, O_RDONLY)
        let lines = LineBuffer(try Self.require(GzipInput(descriptor: descriptor), path))
        while let line = try lines.next() {
            try body(try JSONSerialization.jsonObject(with: Data(line), options: .fragmentsAllowed))
        }
    }

    /// What we make of the recording.
    func forEachLine(_ emission: Emission, _ body: ([UInt8]) throws -> Void) throws {
        var normalizer = try Normalizer(
            path: try Self.require(RecordingsFolder.file(name), name), emission: emission)
        try normalizer.run(body)
    }

    private static func require<Value>(_ value: Value?, _ what: String) throws -> Value {
        guard let value else { throw MissingResult(what: what) }
        return value
    }
}

struct MissingResult: Error {
    let what: String
}

/// Compares results as people would: numbers by value, everything else by its text.
enum Fields {
    /// Where two values differ; `nil` when they are the same.
    static func difference(_ expected: Any, _ found: Any?, at path: String = "") -> String? {
        switch (expected, found) {
        case (let expected as [String: Any], let found as [String: Any]):
            for (key, value) in expected {
                if let difference = difference(value, found[key], at: "\(path).\(key)") { return difference }
            }
            return nil
        case (let expected as [Any], let found as [Any]):
            guard expected.count == found.count else {
                return "\(path): \(expected.count) values expected, \(found.count) found"
            }
            for (index, pair) in zip(expected, found).enumerated() {
                if let difference = difference(pair.0, pair.1, at: "\(path)[\(index)]") { return difference }
            }
            return nil
        case (is NSNull, is NSNull): return nil
        case (let expected as String, let found as String):
            return isSame(expected, found) ? nil : "\(path): \(expected) expected, \(found) found"
        case (let expected as NSNumber, let found as NSNumber):
            return expected == found ? nil : "\(path): \(expected) expected, \(found) found"
        default: return "\(path): \(expected) expected, \(found.map { "\($0)" } ?? "nothing") found"
        }
    }

    /// Whether only the last of seventeen digits is missing: a binary fraction that its venue printed, in a
    /// book whose largest size leaves no room for it in 63 bits.
    private static func isCut(_ expected: String, _ found: String) -> Bool {
        expected.count == found.count + 1 && expected.hasPrefix(found) && found.contains(".")
            && expected.count { $0.isNumber } >= 17
    }

    static func isSame(_ expected: String, _ found: String) -> Bool {
        if expected == found || isCut(expected, found) { return true }
        guard let left = try? DecimalNumber(parsing: expected), let right = try? DecimalNumber(parsing: found)
        else {
            return false
        }
        return left.isEqual(to: right)
    }
}
