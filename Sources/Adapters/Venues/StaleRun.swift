/// Changes in a row that are older than the book they are about.
///
/// A few are normal: an image may be newer than what is under way. Many of them with nothing new between
/// say that the venue counts anew, and that the book, which passes them over, stands still.
struct StaleRun: Sendable {
    /// As many as a venue says in half a minute at ten a second.
    static let limit = 300

    private var last: Int64 = .min
    private var count = 0

    /// Takes one in that is not newer than the book's last change; returns whether there are too many.
    mutating func isTooLong(behind last: Int64) -> Bool {
        count = last == self.last ? count + 1 : 1
        self.last = last
        return count >= Self.limit
    }
}
