import Instruments
import MarketStore

/// What is to be asked of the provider next, from how old what is stored is.
///
/// Everything is asked for once a day. What is older first: so it is spread over the day as its first
/// reading was, and a restart goes on where the last life ended.
enum MetadataStep: Hashable, Sendable {
    /// Nanoseconds after which something is old.
    static let day: Int64 = 86_400_000_000_000

    /// The pages of all coins.
    case coins
    /// The list of categories.
    case list
    /// The coins of a category.
    case category(CategoryRow)
    /// Nothing for so many nanoseconds.
    case wait(Int64)

    /// Decides.
    ///
    /// - Parameters:
    ///   - ages: What is stored.
    ///   - now: The time of day.
    ///   - wantsCategories: Whether categories are asked for at all.
    init(_ ages: MetadataAges, at now: Timestamp, wantsCategories: Bool) {
        func left(_ time: Timestamp?) -> Int64 {
            // A time in the future is of a clock that was wrong: not to be waited for longer than a day.
            time.map { Self.day - max(now.nanoseconds(since: $0), 0) } ?? 0
        }
        if left(ages.assets) <= 0 {
            self = .coins
        } else if !wantsCategories {
            self = .wait(left(ages.assets))
        } else if left(ages.list) <= 0 {
            self = .list
        } else if let next = ages.next, left(ages.asked) <= 0 {
            self = .category(next)
        } else {
            let asked = ages.next == nil ? Self.day : left(ages.asked)
            self = .wait(min(left(ages.assets), left(ages.list), asked))
        }
    }
}
