/// Builds a page in Prometheus' text exposition format 0.0.4.
///
/// Source: prometheus.io/docs/instrumenting/exposition_formats, "Text-based format".
struct ExpositionPage {
    private(set) var text = ""

    /// Begins a family; all its series follow.
    mutating func begin(_ name: String, type: String) { text += "# TYPE \(name) \(type)\n" }

    /// Appends one number.
    mutating func append(_ name: String, labels: String = "", _ value: String) {
        text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }

    /// Appends a series: one line, or a histogram's several.
    mutating func append(_ name: String, labels: String, _ value: MetricsRegistry.Value) {
        switch value {
        case .counter(let counter): append(name, labels: labels, "\(counter.current)")
        case .fraction(let gauge), .gauge(let gauge): append(name, labels: labels, Self.number(gauge.current))
        case .histogram(let histogram): append(name, labels: labels, histogram)
        }
    }

    private mutating func append(_ name: String, labels: String, _ histogram: HistogramValue) {
        let (counts, sum) = histogram.current
        let separator = labels.isEmpty ? "" : ","
        var total: Int64 = 0
        for (index, count) in counts.enumerated() {
            total += count
            let bound = index < histogram.bounds.count ? Self.number(histogram.bounds[index]) : "+Inf"
            append("\(name)_bucket", labels: "\(labels)\(separator)le=\"\(bound)\"", "\(total)")
        }
        append("\(name)_sum", labels: labels, Self.number(sum))
        append("\(name)_count", labels: labels, "\(total)")
    }

    /// A name with every character that Prometheus does not allow replaced by `_`.
    static func name(_ label: String) -> String {
        var name = String(
            label.map { character in
                character.isASCII && (character.isLetter || character.isNumber || character == "_")
                    ? character : "_"
            })
        if name.first?.isNumber ?? true { name = "_" + name }
        return name
    }

    /// Labels sorted by name, escaped and joined, without braces.
    static func labels(_ dimensions: [(String, String)]) -> String {
        dimensions.sorted { $0.0 < $1.0 }
            .map { "\(name($0.0))=\"\(escaped($0.1))\"" }
            .joined(separator: ",")
    }

    /// A number as Prometheus reads it.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
