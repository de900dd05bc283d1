package import Instruments
package import Operations
import Venues

/// Finds out at the first start of an installation which venues answer from where it is, and keeps it.
package struct LiveVenues: Sendable {
    /// The line that tries again what was left out.
    private static let retry = "try again: bitpal up --profile live --try-venues"

    private let file: VerdictFile
    private let triesAll: Bool
    private let limit: Duration
    private let clock: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - directory: Where what was found is kept, in the file `venues-tried`; it exists.
    ///   - triesAll: Whether what is kept counts for nothing.
    ///   - limit: How long a venue may take to answer.
    ///   - clock: The time of day.
    package init(
        in directory: String, triesAll: Bool, limit: Duration = .seconds(10),
        clock: @escaping @Sendable () -> Timestamp
    ) {
        file = VerdictFile(path: directory + "/venues-tried")
        self.triesAll = triesAll
        self.limit = limit
        self.clock = clock
    }

    /// Tries the venues that were not tried yet, and leaves out those that do not answer.
    ///
    /// - Parameters:
    ///   - feed: What is followed; less of it where a venue does not answer.
    ///   - say: Tells a person a line.
    /// - Throws: `ConfigurationError` where what was found cannot be kept.
    package func settle(
        _ feed: inout FeedIngestionConfiguration, _ say: (String) -> Void
    ) async throws(ConfigurationError) {
        var verdicts = triesAll ? VenueVerdicts() : VenueVerdicts(text: file.read())
        let untried = feed.venues.filter { verdicts.answers[$0.venue] == nil }
        if untried.isEmpty {
            for venue in feed.venues where verdicts.refuses(venue.venue) {
                say(Self.line(venue.venue, verdicts.answers[venue.venue], feed))
            }
        } else {
            say("Trying which venues answer from here …")
            let trial = VenueTrial(limit: limit, proxies: feed.proxies, clock: clock)
            let found = await trial.run(untried)
            let isKnown = verdicts.take(found)
            for venue in untried { say(Self.line(venue.venue, found[venue.venue], isKnown ? feed : nil)) }
            if isKnown {
                try file.write(verdicts.text)
            } else {
                say(
                    "  None answers: that is the network here, so all are followed, and tried next time."
                )
            }
        }
        feed.leaveOut(verdicts)
    }

    /// A venue's line, for who would leave it out; `nil` where nobody would.
    private static func line(
        _ venue: Venue, _ answer: VenueAnswer?, _ feed: FeedIngestionConfiguration?
    ) -> String {
        guard case .refuses(let reason)? = answer else { return "  \(venue): answers" }
        let end = feed.map {
            $0.areVenuesNamed ? "; followed all the same, as named" : "; left out, \(retry)"
        }
        return "  \(venue): does not answer: \(reason)\(end ?? "")"
    }
}
