/// The part of a statement that limits it to the rows of one owner.
///
/// Marked in the text, so that a test can take it out of every statement and see that row-level security
/// still refuses.
enum OwnerPredicate {
    static let begin = "/*owner*/"
    static let end = "/*own*/"

    /// A statement's text with every marked condition replaced by one that always holds.
    static func removed(from text: String) -> String {
        var rest = Substring(text)
        var result = ""
        while let start = rest.firstRange(of: begin), let stop = rest[start.upperBound...].firstRange(of: end)
        {
            result += rest[..<start.lowerBound] + "true"
            rest = rest[stop.upperBound...]
        }
        return result + rest
    }
}
