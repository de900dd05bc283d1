package import Instruments
import Venues

/// What venues answered when they were tried, and what follows of it.
///
/// It is kept between starts as text, a line a venue: its name, `answers` or `refuses`, and why.
package struct VenueVerdicts: Hashable, Sendable {
    /// By venue; nothing of those that were not tried.
    package private(set) var answers: [Venue: VenueAnswer]

    /// - Parameter answers: Of none, nothing is known.
    package init(_ answers: [Venue: VenueAnswer] = [:]) { self.answers = answers }

    /// Reads what ``text`` wrote; lines that make no sense say nothing.
    package init(text: String) {
        answers = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            guard words.count >= 2, words[1] == "answers" || words.count == 3 else { continue }
            let isGood = words[1] == "answers"
            guard isGood || words[1] == "refuses" else { continue }
            answers[Venue(rawValue: words[0])] = isGood ? .answers : .refuses(words[2])
        }
    }

    /// As it is kept.
    package var text: String {
        answers.sorted { $0.key < $1.key }.map { venue, answer in
            switch answer {
            case .answers: "\(venue) answers\n"
            case .refuses(let reason): "\(venue) refuses \(reason)\n"
            }
        }.joined()
    }

    /// Takes in what a trial found.
    ///
    /// Where nobody answers at all it is the network here that is at fault: that says nothing of a venue.
    ///
    /// - Returns: Whether it says anything.
    package mutating func take(_ found: [Venue: VenueAnswer]) -> Bool {
        guard found.values.contains(.answers) || answers.values.contains(.answers) else { return false }
        answers.merge(found) { $1 }
        return true
    }

    /// Whether a venue is known not to answer.
    package func refuses(_ venue: Venue) -> Bool {
        if case .refuses = answers[venue] { true } else { false }
    }
}

extension FeedIngestionConfiguration {
    /// Follows nothing by default of venues that are known not to answer, unless somebody named the venues.
    ///
    /// What is subscribed on one of them by a person is followed all the same.
    package mutating func leaveOut(_ verdicts: VenueVerdicts) {
        guard !areVenuesNamed else { return }
        for place in venues.indices where verdicts.refuses(venues[place].venue) {
            venues[place].subscriptions = []
            venues[place].pricesAllMarkets = false
        }
    }
}
