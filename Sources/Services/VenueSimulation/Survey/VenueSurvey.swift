package import Instruments
package import Venues

/// What a recording or the synthetic market offers to a session: symbols, channels and the form of its books.
package struct VenueSurvey: Sendable {
    /// Whose messages.
    package let venue: Venue
    /// Options of the configuration that a session needs to read it.
    package let options: [String: String]
    /// Levels a side of its books, as a session is to subscribe to them.
    package let bookDepth: Int
    /// Symbols in the venue's spelling with the channels that have messages, in the order in which they
    /// appear.
    package let symbols: [(symbol: String, channels: Set<VenueChannel>)]
    let script: PlaybackScript

    init(_ script: PlaybackScript) {
        self.script = script
        venue = script.dialect.venue
        options = script.dialect.options
        bookDepth = script.dialect.depth == 0 ? 1_000 : script.dialect.depth
        let topics = script.topics
        symbols = topics.symbols.compactMap { symbol in
            let channels = StreamKind.allCases.filter { topics.find($0, symbol) != nil }.compactMap(\.channel)
            return channels.isEmpty ? nil : (symbol, Set(channels))
        }
    }

    /// Reads a recording once, from the first line to the last.
    ///
    /// - Throws: `RecordingError`, which names the file and the line, or
    ///   ``SimulationError/nothingToPlay(path:)``.
    package static func read(path: String) throws -> VenueSurvey {
        VenueSurvey(try SurveyReader.read(path: path))
    }

    /// The configuration of a session that follows everything here, served by a simulator at this address.
    package func venueConfiguration(host: String, port: Int) -> VenueConfiguration {
        let authority = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        var configuration = VenueConfiguration(script.configuration.description)
        configuration.webSocketURL = "ws://\(authority)/\(venue.rawValue)"
        configuration.restURL = "http://\(authority)/\(venue.rawValue)"
        configuration.subscriptions = symbols
        configuration.bookDepth = bookDepth
        configuration.options = options
        return configuration
    }
}
