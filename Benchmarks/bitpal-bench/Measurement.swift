import CLinux
import Foundation

/// One row of the table and of the file: a figure, and what it is measured against in the same run.
struct Measurement: Codable {
    var name: String
    var unit: String
    var value: Double
    /// What the value is compared with; empty where nothing is.
    var baseline: String
    var baselineValue: Double?
    /// value / baselineValue.
    var ratio: Double?
    /// What is hoped for, in words.
    var goal: String
    var meets: Bool?
    /// Why there is no figure; then the value is 0.
    var error: String?

    enum CodingKeys: String, CodingKey {
        case name, unit, value, baseline, ratio, goal, meets, error
        case baselineValue = "baseline_value"
    }

    init(
        _ name: String, _ unit: String, _ value: Double, goal: String, meets: Bool?, baseline: String = "",
        baselineValue: Double? = nil
    ) {
        self.name = name
        self.unit = unit
        self.value = value
        self.goal = goal
        self.meets = meets
        self.baseline = baseline
        self.baselineValue = baselineValue
        ratio = baselineValue.map { $0 == 0 ? 0 : value / $0 }
    }

    /// A part of the run that failed.
    init(failureOf part: String, _ error: String) {
        self.init(part, "-", 0, goal: "to be measured", meets: false)
        self.error = error
    }

    /// Every key is written, also where there is no value.
    func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: CodingKeys.self)
        try row.encode(name, forKey: .name)
        try row.encode(unit, forKey: .unit)
        try row.encode(value, forKey: .value)
        try row.encode(baseline, forKey: .baseline)
        try row.encode(baselineValue, forKey: .baselineValue)
        try row.encode(ratio, forKey: .ratio)
        try row.encode(goal, forKey: .goal)
        try row.encode(meets, forKey: .meets)
        try row.encode(error, forKey: .error)
    }

    var line: String {
        if let error {
            return "\(name.padding(toLength: 52, withPad: " ", startingAt: 0))         FAILED \(error)"
        }
        let figure = String(format: "%14.1f %-10@", value, unit as NSString)
        let beside =
            baselineValue.map { String(format: "%@ %.1f (x%.2f)", baseline as NSString, $0, ratio ?? 0) }
            ?? ""
        let verdict = meets.map { $0 ? "meets" : "misses" } ?? "-"
        return
            "\(name.padding(toLength: 52, withPad: " ", startingAt: 0)) \(figure) \(verdict.padding(toLength: 7, withPad: " ", startingAt: 0)) \(goal)  \(beside)"
    }
}

/// The rows of a run: printed and written as they come, so that what ends the run takes none of them along.
final class BenchTable {
    private let url: URL
    private var rows: [Measurement] = []

    init(path: String) { url = URL(fileURLWithPath: path) }

    /// Rows that stand for a failure.
    var failures: Int { rows.count { $0.error != nil } }

    func add(_ new: [Measurement]) throws {
        for row in new { print(row.line) }
        fflush(nil)
        rows += new
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
        try encoder.encode(rows).write(to: url, options: .atomic)
    }
}

/// Bytes of memory of a process: what it has alone, and all that is resident, files that others map included.
struct ProcessMemory {
    var privateBytes = 0.0
    var residentBytes = 0.0

    /// By the kernel's sums (proc(5), `smaps_rollup`); zeros of a process that is gone.
    init(of process: Int32 = getpid()) {
        // What a part before has freed would be counted as given back by this one.
        if process == getpid() { malloc_trim(0) }
        let text = (try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 3, let kibibytes = Double(words[1]) else { continue }
            switch words[0] {
            case "Rss:": residentBytes = kibibytes * 1_024
            case "Private_Clean:", "Private_Dirty:": privateBytes += kibibytes * 1_024
            default: break
            }
        }
    }
}

/// Seconds on the monotonic clock.
func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// The middle of an odd number of runs.
func median(_ runs: Int = 5, _ body: () throws -> Double) rethrows -> Double {
    var values: [Double] = []
    for _ in 0..<runs { values.append(try body()) }
    return values.sorted()[runs / 2]
}

extension Array where Element == Double {
    /// The median of an odd number of elements.
    var middle: Double { sorted()[count / 2] }

    /// The value below which so much of the sorted elements lies; 0 of none.
    func percentile(_ share: Double) -> Double {
        guard !isEmpty else { return 0 }
        return self[Swift.min(count - 1, Int(Double(count) * share))]
    }
}
