/// What a venue says of a request that it does not fulfil.
enum Refusal: Hashable, Sendable {
    /// It has too much to do: the same may be asked again.
    case forNow
    /// It never will.
    case forGood

    /// By the words of the message; venues number such cases differently and word them alike.
    init(_ text: String) {
        let words = text.lowercased()
        let patience = [
            "rate limit", "ratelimit", "too many", "too_many", "overload", "busy", "try again", "exceed",
            "internal", "timeout", "unavailable", "frequen",
        ]
        self = patience.contains { words.contains($0) } ? .forNow : .forGood
    }
}
