import Glibc

/// Splits the text of a gzip file into lines, in one buffer that grows only for a line that needs it.
///
/// Not thread safe: it belongs to one reader.
final class LineBuffer {
    /// No line of a venue comes near this; a longer one is not believed.
    static let lineLimit = 64 << 20
    private static let step = 256 * 1_024

    enum Fault: Error {
        case gzip(GzipFault)
        case lineTooLong
    }

    private let input: GzipInput
    // SAFETY: `memory` is allocated here, replaced only by `makeRoom` and freed in deinit; start, scanned and
    // end stay within its count. Lines that were given out are valid until the next call, as documented.
    private var memory: UnsafeMutableRawBufferPointer
    private var start = 0
    private var scanned = 0
    private var end = 0
    private var hasBegun = false

    init(_ input: GzipInput) {
        self.input = input
        memory = .allocate(byteCount: LineBuffer.step * 2, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// The next line without its newline, and the first without its byte order mark; `nil` at the end.
    ///
    /// Valid until the next call.
    func next() throws(Fault) -> UnsafeRawBufferPointer? {
        while true {
            if let newline = findNewline() {
                let line = UnsafeRawBufferPointer(rebasing: memory[start..<newline])
                start = newline + 1
                scanned = start
                return unmarked(line)
            }
            guard try fill() else { break }
        }
        guard start < end else { return nil }
        // The last line may lack its newline; whether it is whole, its JSON says.
        let line = UnsafeRawBufferPointer(rebasing: memory[start..<end])
        start = end
        scanned = end
        return unmarked(line)
    }

    /// The line without the byte order mark that some programs put before everything.
    private func unmarked(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        if hasBegun { return line }
        hasBegun = true
        return line.starts(with: [0xEF, 0xBB, 0xBF])
            ? UnsafeRawBufferPointer(rebasing: line.dropFirst(3)) : line
    }

    private func findNewline() -> Int? {
        guard scanned < end, let base = memory.baseAddress else { return nil }
        guard let found = memchr(base + scanned, 0x0A, end - scanned) else {
            scanned = end
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    private func fill() throws(Fault) -> Bool {
        try makeRoom()
        do throws(GzipFault) {
            let count = try input.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[end...]))
            end += count
            return count > 0
        } catch {
            throw .gzip(error)
        }
    }

    private func makeRoom() throws(Fault) {
        guard memory.count - end < LineBuffer.step else { return }
        let held = end - start
        if held > LineBuffer.lineLimit { throw .lineTooLong }
        let old = memory
        let needsMore = held + LineBuffer.step > old.count
        if needsMore { memory = .allocate(byteCount: held * 2 + LineBuffer.step, alignment: 16) }
        if held > 0, let target = memory.baseAddress, let source = old.baseAddress {
            memmove(target, source + start, held)
        }
        if needsMore { old.deallocate() }
        scanned -= start
        start = 0
        end = held
    }
}

extension UnsafeRawBufferPointer {
    /// Whether there are only spaces, tabs and carriage returns.
    var isBlank: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
}
