import Instruments
import Recordings
import Venues

/// Plays a recording through its venue's session: no network, no clock, the same answer every time.
///
/// What the session wants done is let be, since the recording holds what came of it.
struct RecordingReplay {
    var header: RecordingHeader { reader.header }
    /// What is known of its venue.
    let venue: VenueDescription
    /// The session with its books.
    private(set) var session: any VenueSession
    /// Counts over the whole recording.
    var counters: VenueCounters { output.counters }
    /// REST answers to requests that the session does not make; a recording may hold them.
    private(set) var ignoredAnswers = 0

    private let reader: RecordingReader
    private var output = VenueOutput()

    /// Opens a recording.
    ///
    /// - Throws: ``RecordingError`` naming the file.
    init(path: String) throws(RecordingError) {
        reader = try RecordingReader(path: path, policy: .count)
        do throws(UnknownVenue) {
            venue = try VenueCatalogue.standard.description(of: reader.header.venue)
        } catch {
            throw .unknownVenue(
                path: path, name: error.venue.rawValue, known: error.known.map(\.rawValue))
        }
        session = VenueConfiguration.replay(of: venue).makeSession()
    }

    /// Plays it to the end; the closure sees each message with what the session said to it.
    ///
    /// - Returns: What could not be read, messages of the venue among it.
    /// - Throws: What the closure throws.
    @discardableResult
    mutating func run(
        _ body: (RecordingFrame, VenueOutput, any VenueSession) throws -> Void
    ) throws -> InputFaults {
        var (unreadable, firstLine) = (0, 0)
        try reader.forEach { frame in
            if frame.direction == .open {
                session.recorded(
                    connection: frame.connection, url: String(decoding: frame.url, as: UTF8.self))
            }
            guard frame.direction == .in else { return }
            let malformed = output.counters.malformed
            switch frame.kind {
            case .ws:
                session.receive(frame.data, connection: frame.connection, at: frame.time, into: &output)
            case .http:
                guard let request = session.request(for: String(decoding: frame.url, as: UTF8.self)) else {
                    ignoredAnswers += 1
                    return
                }
                session.responded(to: request, status: 200, body: frame.data, at: frame.time, into: &output)
            }
            if output.counters.malformed > malformed {
                if unreadable == 0 { firstLine = reader.line }
                unreadable += Int(output.counters.malformed - malformed)
            }
            if !output.events.isEmpty { try body(frame, output, session) }
            output.removeAll()
        }
        var faults = reader.faults
        if unreadable > 0 { faults.addFrames(unreadable, line: firstLine) }
        return faults
    }
}
