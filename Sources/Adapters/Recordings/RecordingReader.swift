import Glibc
package import Instruments
import Venues

/// Reads a recording from its file, line after line.
///
/// Memory is bounded by the longest line, at most 64 MiB. Not thread safe: one reader has one owner.
/// What was whole before a fault is delivered before the fault is thrown.
public final class RecordingReader {
    /// The file.
    public let path: String
    /// The first line.
    public let header: RecordingHeader
    /// The number of the line that was read last; the header is line 1, but for white space before it.
    public private(set) var line = 0
    /// What could not be read so far; at the end also whether the header's count was right.
    public private(set) var faults: InputFaults
    private let lines: LineBuffer
    private let policy: FaultPolicy
    private var current = RecordingLine()

    /// Opens a recording and reads its header.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - venues: The venues that the caller can work with; `nil` takes any.
    ///   - policy: Whether a fault behind the header is thrown or counted.
    /// - Throws: A ``RecordingError`` that names the file.
    package init(
        path: String, venues: [Venue]? = VenueCatalogue.standard.venues, policy: FaultPolicy = .stop
    ) throws(RecordingError) {
        self.path = path
        self.policy = policy
        faults = InputFaults(path: path)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw errno == ENOENT
                ? .fileMissing(path: path) : .refused(path: path, operation: "open", code: errno)
        }
        guard let input = GzipInput(descriptor: descriptor) else {
            throw .refused(path: path, operation: "read", code: ENOMEM)
        }
        lines = LineBuffer(input)
        var header = try RecordingReader.readHeader(lines, path: path, &line)
        header.venue = VenueCatalogue.standard.venue(recordedAs: header.venue)
        if header.records > 0 { faults.announcedRecords = header.records }
        if let venues, !venues.contains(header.venue) {
            guard let same = venues.first(where: { $0.letters == header.venue.letters }) else {
                throw .unknownVenue(path: path, name: header.venue.rawValue, known: venues.map(\.rawValue))
            }
            header.venue = same
        }
        self.header = header
    }

    /// The next entry; `nil` at the end of the file.
    ///
    /// - Throws: A ``RecordingError`` that names the file and the line.
    public func next() throws(RecordingError) -> RecordingEntry? { try nextFrame()?.entry }

    /// Hands every remaining entry to a closure without allocating per line.
    ///
    /// - Parameter body: Gets a frame whose buffers are valid only during the call.
    /// - Throws: A ``RecordingError`` that names the file and the line, or what the closure throws.
    public func forEach(_ body: (RecordingFrame) throws -> Void) throws {
        while let frame = try nextFrame() {
            try body(frame)
        }
    }

    /// Reads a whole recording into memory.
    ///
    /// - Throws: A ``RecordingError`` that names the file and the line.
    package static func loadAll(
        path: String, venues: [Venue]? = VenueCatalogue.standard.venues
    ) throws(RecordingError) -> (header: RecordingHeader, entries: [RecordingEntry]) {
        let reader = try RecordingReader(path: path, venues: venues)
        var entries: [RecordingEntry] = []
        // The header's count is only a hint, and an unproven one.
        entries.reserveCapacity(min(max(reader.header.records, 0), 1_000_000))
        while let entry = try reader.next() { entries.append(entry) }
        return (reader.header, entries)
    }

    /// The next entry in the reader's own memory.
    ///
    /// Valid until the next call or the reader's end.
    private func nextFrame() throws(RecordingError) -> RecordingFrame? {
        while let text = try nextText() {
            line += 1
            if text.isBlank { continue }
            faults.records += 1
            do throws(LineFault) {
                try current.read(text)
            } catch {
                guard policy == .count else { throw .brokenLine(path: path, line: line, why: error) }
                faults.addLine(line)
                continue
            }
            // SAFETY: `current` owns the arrays and changes them only in the next call, until when the
            // pointers are documented to be valid; the arrays are not empty or the buffers have no bytes.
            let url = current.url.withUnsafeBytes { UnsafeRawBufferPointer($0) }
            let data = current.data.withUnsafeBytes { UnsafeRawBufferPointer($0) }
            return RecordingFrame(
                time: current.time, connection: current.connection, kind: current.kind,
                direction: current.direction, url: url, data: data)
        }
        return nil
    }

    /// The text of the next line; `nil` at the end, which is where the file is cut if that is only counted.
    private func nextText() throws(RecordingError) -> UnsafeRawBufferPointer? {
        guard faults.cut == nil else { return nil }
        do throws(RecordingError) {
            return try RecordingReader.nextLine(lines, path: path, after: line)
        } catch {
            guard policy == .count else { throw error }
            faults.cut = error
            return nil
        }
    }

    private static func readHeader(
        _ lines: LineBuffer, path: String, _ line: inout Int
    ) throws(RecordingError) -> RecordingHeader {
        var text: UnsafeRawBufferPointer
        repeat {
            guard let next = try nextLine(lines, path: path, after: line) else { throw .empty(path: path) }
            text = next
            line += 1
        } while text.isBlank
        let found: (version: Int64, RecordingHeader)?
        do throws(LineFault) {
            found = try HeaderLine.read(text)
        } catch {
            throw .brokenLine(path: path, line: line, why: error)
        }
        guard let (version, header) = found else { throw .missingHeader(path: path) }
        guard version == RecordingHeader.formatVersion else {
            throw .unknownVersion(path: path, version: version)
        }
        guard !header.venue.rawValue.isEmpty else {
            throw .brokenLine(path: path, line: line, why: .missing(field: "venue"))
        }
        return header
    }

    private static func nextLine(
        _ lines: LineBuffer, path: String, after line: Int
    ) throws(RecordingError) -> UnsafeRawBufferPointer? {
        do throws(LineBuffer.Fault) {
            return try lines.next()
        } catch {
            throw RecordingError(error, path: path, line: line + 1)
        }
    }
}

extension RecordingError {
    /// Names the file and the line of a fault.
    init(_ fault: LineBuffer.Fault, path: String, line: Int) {
        self =
            switch fault {
            case .lineTooLong: .lineTooLong(path: path, line: line, limit: LineBuffer.lineLimit)
            case .gzip(.notGzip): .notGzip(path: path)
            case .gzip(.truncated): .truncated(path: path, line: line)
            case .gzip(.damaged): .damaged(path: path, line: line)
            case .gzip(.refused(let code)): .refused(path: path, operation: "read", code: code)
            }
    }
}

extension Venue {
    /// The name without what others write between its parts, or in capitals: `Crypto.com` is `crypto-com`.
    fileprivate var letters: String { rawValue.lowercased().filter { $0.isLetter || $0.isNumber } }
}
