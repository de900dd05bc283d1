/// More of something than one may have: what is counted, how many there would be, and how many may be.
package struct QuotaFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is counted, such as `portfolios`.
    package var field: String
    /// How many there would be.
    package var count: Int
    /// How many there may be.
    package var limit: Int
    /// What makes room, in words.
    package var advice: String

    package init(_ field: String, count: Int, limit: Int, advice: String = "delete one first") {
        self.field = field
        self.count = count
        self.limit = limit
        self.advice = advice
    }

    /// What would be right.
    package var accepted: String { "at most \(limit); \(advice)" }

    /// One line for a person.
    package var description: String { "field \"\(field)\" is \(count): accepted are \(accepted)" }
}
