import Glibc

/// Shows on standard error how far something is: a bar that is drawn again on a terminal, lines elsewhere.
struct ProgressBar {
    private let title: String
    private let unit: String
    private let total: Int
    private let isInteractive: Bool
    private let output = StandardOutput(descriptor: STDERR_FILENO)
    private var tenths = 0
    /// What was done when, over the last while: a venue takes a burst at once and little afterwards, and the
    /// time left follows what it takes now.
    private var marks: [(nanoseconds: Int64, done: Int)] = [(0, 0)]
    /// How long that while is: ten seconds.
    private static let window: Int64 = 10_000_000_000
    private var isDrawn = false

    /// - Parameters:
    ///   - title: What is being done.
    ///   - unit: What is counted, in the plural.
    ///   - total: How much there is to do.
    ///   - isInteractive: Whether somebody looks at a terminal.
    init(_ title: String, unit: String, total: Int, isInteractive: Bool = isatty(STDERR_FILENO) == 1) {
        self.title = title
        self.unit = unit
        self.total = total
        self.isInteractive = isInteractive
    }

    /// Shows that so much is done after so long; a line only at every tenth part.
    mutating func show(_ done: Int, after nanoseconds: Int64) throws {
        note(done, after: nanoseconds)
        if isInteractive {
            isDrawn = true
            try output.write(Array("\r\(bar(done)) \(text(done, after: nanoseconds))\u{1B}[K".utf8))
            return try output.flush()
        }
        let reached = total > 0 ? done * 10 / total : 10
        guard reached > tenths else { return }
        tenths = reached
        try say("\(title): \(text(done, after: nanoseconds))")
    }

    /// Ends the bar and says how it ended.
    mutating func end(_ text: String) throws {
        if isDrawn { try output.write([0x0A]) }
        isDrawn = false
        try say(text)
    }

    private func say(_ text: String) throws {
        try output.writeLine("bitpal: \(text)")
        try output.flush()
    }

    private func bar(_ done: Int) -> String {
        let filled = total > 0 ? min(done, total) * 24 / total : 24
        return "\(title) [" + String(repeating: "#", count: filled)
            + String(repeating: "-", count: 24 - filled) + "]"
    }

    /// Remembers how far it is.
    mutating func note(_ done: Int, after nanoseconds: Int64) {
        // A hundred marks in the window are enough for a rate.
        if let last = marks.last, nanoseconds - last.nanoseconds < Self.window / 100 { return }
        marks.append((nanoseconds, done))
        while marks.count > 2, marks[1].nanoseconds <= nanoseconds - Self.window { marks.removeFirst() }
    }

    /// `40 % · 4000/10000 candles · 800/s · 8 s left`.
    func text(_ done: Int, after nanoseconds: Int64) -> String {
        let percent = total > 0 ? done * 100 / total : 100
        var text = "\(percent) % · \(done)/\(total) \(unit)"
        let since = marks.first ?? (0, 0)
        // In 128 bits, since the product of a count and a time may be long.
        let (count, time) = (Int128(done - since.done), Int128(nanoseconds - since.nanoseconds))
        guard count > 0, time > 0 else { return text }
        let rate = count * 1_000_000_000 / time
        text += rate > 0 ? " · \(rate)/s" : " · \(count * 60_000_000_000 / time)/min"
        if done < total {
            let left = time * Int128(total - done) / count / 1_000_000_000
            text += " · \(Self.duration(seconds: Int64(clamping: left))) left"
        }
        return text
    }

    private static func duration(seconds: Int64) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        default: "\(seconds / 3_600) h \(seconds / 60 % 60) min"
        }
    }
}
