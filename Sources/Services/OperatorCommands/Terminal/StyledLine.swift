/// What a piece of text means; the terminal decides how that looks.
enum TextStyle: Sendable, Hashable {
    case plain, faint, strong, bid, ask, good, warning, bad
    /// A trade that came a moment ago, by its side.
    case freshBuy, freshSell

    /// The parameters of "select graphic rendition" in ECMA-48 (8.3.117); `nil` for plain text.
    var code: StaticString? {
        switch self {
        case .plain: nil
        case .faint: "2"
        case .strong: "1"
        case .bid, .good: "32"
        case .ask, .bad: "31"
        case .warning: "33"
        case .freshBuy: "1;7;32"
        case .freshSell: "1;7;31"
        }
    }
}

/// A line of text in styles; every character is taken to be one column wide.
struct StyledLine: Sendable, Hashable {
    struct Span: Sendable, Hashable {
        var text: String
        var style: TextStyle
    }

    private(set) var spans: [Span] = []

    init() {}

    init(_ text: String, _ style: TextStyle = .plain) { append(text, style) }

    /// The text without its styles.
    var text: String { spans.reduce(into: "") { $0 += $1.text } }

    /// Columns.
    var width: Int { spans.reduce(0) { $0 + $1.text.count } }

    mutating func append(_ text: String, _ style: TextStyle = .plain) {
        guard !text.isEmpty else { return }
        spans.append(Span(text: text, style: style))
    }

    mutating func append(_ other: StyledLine) { spans += other.spans }

    /// Fills up with spaces to a width.
    mutating func pad(to columns: Int) { append(String(repeating: " ", count: max(0, columns - width))) }

    /// Puts text at the right edge, if there is room for it.
    mutating func appendRight(_ text: String, _ style: TextStyle, columns: Int) {
        guard width + 1 + text.count <= columns else { return }
        pad(to: columns - text.count)
        append(text, style)
    }

    /// The line cut to a width; what was cut shows as an ellipsis.
    func clipped(to columns: Int) -> StyledLine {
        guard width > columns, columns > 0 else { return self }
        var result = StyledLine()
        var left = columns - 1
        for span in spans {
            guard span.text.count <= left else {
                result.append(String(span.text.prefix(left)) + "…", span.style)
                break
            }
            result.append(span.text, span.style)
            left -= span.text.count
        }
        return result
    }

    /// Adds the bytes for a terminal, without the end of the line.
    func encode(isColoured: Bool, into bytes: inout [UInt8]) {
        for span in spans {
            guard isColoured, let code = span.style.code else {
                bytes.append(contentsOf: span.text.utf8)
                continue
            }
            bytes.append(contentsOf: "\u{1B}[\(code)m".utf8)
            bytes.append(contentsOf: span.text.utf8)
            bytes.append(contentsOf: "\u{1B}[0m".utf8)
        }
    }
}

extension String {
    /// The text at the right of so many columns.
    func right(_ columns: Int) -> String {
        String(repeating: " ", count: Swift.max(0, columns - count)) + self
    }

    /// The text at the left of so many columns.
    func left(_ columns: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, columns - count))
    }
}
