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

    private let reader: RecordingReader
    private var output = VenueOutput()

    /// Opens a recording.
    ///
    /// - Throws: ``RecordingError`` naming the file.
    init(path: String) throws(RecordingError) {
        reader = try RecordingReader(path: path)
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
    /// - Throws: ``RecordingError`` naming the file and the line, or what the closure throws.
    mutating func run(_ body: (RecordingFrame, VenueOutput, any VenueSession) throws -> Void) throws {
        try reader.forEach { frame in
            guard frame.direction == .in else { return }
            switch frame.kind {
            case .ws:
                session.receive(frame.data, connection: frame.connection, at: frame.time, into: &output)
            case .http:
                guard let request = session.request(for: String(decoding: frame.url, as: UTF8.self)) else {
                    return
                }
                session.responded(to: request, status: 200, body: frame.data, at: frame.time, into: &output)
            }
            if !output.events.isEmpty { try body(frame, output, session) }
            output.removeAll()
        }
    }
}
