import CLinux
import Glibc

/// The terminal that a command draws on, or the file or pipe that takes its place.
///
/// On a terminal a page is drawn over the one before on the alternate screen; ``restore()`` gives the
/// person's own screen back. Elsewhere pages follow one another as plain text. One owner.
final class Terminal {
    /// Whether somebody looks at it.
    let isInteractive: Bool
    /// Whether it wants colour: a terminal, and the person has not said otherwise.
    ///
    /// Source: no-color.org, "when present and not an empty string".
    let isColoured: Bool

    private let descriptor: Int32
    private let output: StandardOutput
    private var isOnAlternateScreen = false

    init(descriptor: Int32 = STDOUT_FILENO) {
        self.descriptor = descriptor
        output = StandardOutput(descriptor: descriptor)
        isInteractive = isatty(descriptor) == 1
        isColoured = isInteractive && Terminal.wantsColour
    }

    private static var wantsColour: Bool {
        guard let value = getenv("NO_COLOR") else { return true }
        return value.pointee == 0
    }

    /// Columns and rows; 80 columns and no end of rows where nobody looks.
    var size: (columns: Int, rows: Int?) {
        var columns: Int32 = 0
        var rows: Int32 = 0
        guard isInteractive, bitpal_terminal_size(descriptor, &columns, &rows) != 0, columns > 0, rows > 0
        else {
            return (80, nil)
        }
        return (Int(columns), Int(rows))
    }

    /// Prints lines after what is there.
    ///
    /// - Throws: ``OutputClosed`` or ``CommandFailure``.
    func print(_ lines: [StyledLine]) throws {
        var bytes: [UInt8] = []
        for line in lines {
            line.encode(isColoured: isColoured, into: &bytes)
            bytes.append(0x0A)
        }
        try output.write(bytes)
        try output.flush()
    }

    /// Draws a page over the one before.
    ///
    /// - Throws: ``OutputClosed`` or ``CommandFailure``.
    func draw(_ lines: [StyledLine]) throws {
        guard isInteractive else { return try print(lines + [StyledLine()]) }
        try output.write(
            Terminal.page(lines, rows: size.rows, isColoured: isColoured, isFirst: !isOnAlternateScreen))
        isOnAlternateScreen = true
        try output.flush()
    }

    /// Leaves the alternate screen, if it was entered.
    func restore() {
        guard isOnAlternateScreen else { return }
        isOnAlternateScreen = false
        // The terminal may be gone already; then there is nothing to restore.
        do {
            try output.write(Array("\u{1B}[?25h\u{1B}[?1049l".utf8))
            try output.flush()
        } catch {}
    }

    /// The bytes that put a page on the screen: cursor home, every line cleared to its end, the rest cleared.
    static func page(_ lines: [StyledLine], rows: Int?, isColoured: Bool, isFirst: Bool) -> [UInt8] {
        // Alternate screen and no cursor. Source: xterm control sequences, "DEC Private Mode Set", 1049 and
        // 25.
        var bytes = Array((isFirst ? "\u{1B}[?1049h\u{1B}[?25l\u{1B}[H" : "\u{1B}[H").utf8)
        let shown = lines.prefix(rows ?? lines.count)
        for (index, line) in shown.enumerated() {
            if index > 0 { bytes += [0x0D, 0x0A] }
            line.encode(isColoured: isColoured, into: &bytes)
            bytes.append(contentsOf: "\u{1B}[K".utf8)
        }
        bytes.append(contentsOf: "\u{1B}[J".utf8)
        return bytes
    }
}
