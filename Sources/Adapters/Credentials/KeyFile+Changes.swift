import Accounts
import Glibc

/// Changes of a key file happen where it lies, never by another file in its place: a file that is mounted
/// alone into a container stays the one that it was there, whoever replaces it on the host, and cannot be
/// replaced from within at all (EBUSY).
///
/// At each moment, and after a crash at any, the file holds the newest key and can be read: a line is taken
/// out by a `#` at its begin, which is one byte, and only then wiped; a line that is not whole at the end
/// counts as none.
extension KeyFile {
    /// Adds a new key, which seals from then on; who has the file open or mounted sees it, too.
    ///
    /// - Returns: Its number.
    /// - Throws: ``SealingFault`` when the file cannot be read or written, or has a key 255 already.
    package static func addKey(_ path: String) throws(SealingFault) -> UInt8 {
        let file = try openLocked(path)
        defer { close(file) }
        let known = try text(path)
        let newest = try SealingKeys(lines: known).newestNumber
        guard newest < .max else {
            throw SealingFault(description: "the key file \(path) has a key 255, after which none can come")
        }
        let bytes = Array(known.utf8)
        if let last = lines(bytes).last, last.upperBound == bytes.count, SealingKeys.isTorn(bytes[last]) {
            try put(mark, last.lowerBound, file, path)
        }
        guard lseek(file, 0, SEEK_END) == bytes.count else { throw fault(path, "changes at the same time") }
        do throws(SealingFault) {
            try append((bytes.last == newline ? "" : "\n") + line(newest + 1), to: file, path)
        } catch {
            // What was written of the line would count as none; the next one begins a new line again.
            _ = ftruncate(file, off_t(bytes.count))
            throw error
        }
        touch(file)
        return newest + 1
    }

    /// Takes every key out of the file but the newest, and leaves blank lines in their place; its owner and
    /// mode stay, and a link stays one.
    ///
    /// - Throws: ``SealingFault`` when it cannot be read or written; the newest key is in it then as well.
    package static func forgetFormerKeys(_ path: String) throws(SealingFault) {
        let file = try openLocked(path)
        defer { close(file) }
        let known = try text(path)
        let newest = try SealingKeys(lines: known).newestNumber
        let bytes = Array(known.utf8)
        let former = lines(bytes).filter { number(bytes[$0]) != newest }
        for line in former { try put(mark, line.lowerBound, file, path) }
        // Each is a comment on the disk before any other byte of it changes.
        guard fsync(file) == 0 else { throw fault(path, "cannot be written") }
        for byte in [mark, newline] {
            for line in former {
                for place in line.reversed() { try put(byte, place, file, path) }
            }
            guard fsync(file) == 0 else { throw fault(path, "cannot be written") }
        }
        touch(file)
    }

    private static let mark = UInt8(ascii: "#")
    private static let newline = UInt8(ascii: "\n")

    /// Who reads it knows it by its size and time, and the time of a write is one of some milliseconds: this
    /// one is exact, so that two changes of one size are two.
    private static func touch(_ file: Int32) {
        var times = [timespec(), timespec()]
        clock_gettime(CLOCK_REALTIME, &times[1])
        times[0] = times[1]
        _ = futimens(file, times)
    }

    /// Nobody else adds or takes out a key meanwhile: of two with one number neither could be told.
    private static func openLocked(_ path: String) throws(SealingFault) -> Int32 {
        let file = Glibc.open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { throw fault(path, "cannot be written") }
        guard flock(file, LOCK_EX) == 0 else {
            let problem = fault(path, "cannot be locked")
            close(file)
            throw problem
        }
        return file
    }

    /// Where the lines are that have anything, without their ends.
    private static func lines(_ bytes: [UInt8]) -> [Range<Int>] {
        bytes.indices.split { bytes[$0] == newline }
    }

    private static func number(_ line: ArraySlice<UInt8>) -> UInt8? {
        String(decoding: line, as: UTF8.self).split(separator: " ").first.flatMap { UInt8($0) }
    }

    private static func put(
        _ byte: UInt8, _ place: Int, _ file: Int32, _ path: String
    ) throws(SealingFault) {
        var byte = byte
        guard pwrite(file, &byte, 1, off_t(place)) == 1 else { throw fault(path, "cannot be written") }
    }
}
