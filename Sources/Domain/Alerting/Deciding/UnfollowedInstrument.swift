package import Instruments

/// That an instrument is not followed: more of its venue are wanted than may be, and others come first.
package struct UnfollowedInstrument: Hashable, Sendable {
    package var venue: Venue
    /// Instruments of the venue that are followed at most.
    package var limit: Int

    package init(venue: Venue, limit: Int) {
        self.venue = venue
        self.limit = limit
    }

    private static let opening = "it is not followed: at most "
    private static let middle = " instruments of "
    private static let end = " are, and others come first"

    /// Why rules on it are blind, as an engine is told.
    package var reason: String { "\(Self.opening)\(limit)\(Self.middle)\(venue)\(Self.end)" }

    /// Finds the reason in a text that contains it, for who says it in another language.
    package init?(in text: String) {
        guard let start = text.firstRange(of: Self.opening),
            let middle = text[start.upperBound...].firstRange(of: Self.middle),
            let limit = Int(text[start.upperBound..<middle.lowerBound]),
            let end = text[middle.upperBound...].firstRange(of: Self.end)
        else { return nil }
        self.init(venue: Venue(rawValue: String(text[middle.upperBound..<end.lowerBound])), limit: limit)
    }
}
