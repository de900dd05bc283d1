/// Every text that a notice may need; a catalogue has all of them.
package enum TextKey: String, Hashable, Sendable, CaseIterable {
    // Titles.
    case titleAbove, titleBelow, titleAlert, titleLate, titleBlind, titleSeesAgain, titleQuieted, titleDigest
    case titleTest, titleEnded, titleRuleQuieted, titleDisk
    // What a sentence is about.
    case priceLast, priceBid, priceAsk, priceMid, priceMark, priceIndex, spread, close
    case portfolioValue, portfolioProfit, portfolioDay, fundingRate, openInterest
    // Sentences.
    case rose, fell, reached, leftUpwards, leftDownwards, movedUp, movedDown, volume, volumeTimes
    case imbalance, imbalanceRose, imbalanceFell, indicatorLevel, indicatorRose, indicatorFell
    case largeTrade, indicatorCross, indicatorUp, indicatorDown, feedStale, feedResynced, listed
    case blind, unfollowed, seesAgain, quieted, ruleQuieted, more, test, ended, disk
    // Lines under the sentence.
    case before, time, late
    // Lengths of time.
    case moment, seconds, minutes, hours, days
    // Buttons and links.
    case view, unsubscribe

    /// The names in curly brackets that each language must use in this text, and no others.
    package var placeholders: Set<String> {
        switch self {
        case .titleAbove, .titleBelow: ["subject", "level"]
        case .titleAlert, .titleBlind, .titleSeesAgain, .titleRuleQuieted, .listed: ["subject"]
        case .titleLate: ["title"]
        case .titleTest, .titleEnded: ["channel"]
        case .ended: ["reason"]
        case .rose, .fell, .reached, .leftUpwards, .leftDownwards: ["what", "price", "level"]
        case .movedUp, .movedDown: ["what", "previous", "price", "window"]
        case .volume: ["window", "size"]
        case .volumeTimes: ["window", "factor"]
        case .imbalance, .imbalanceRose, .imbalanceFell: ["level"]
        case .largeTrade: ["size", "price"]
        case .indicatorLevel, .indicatorRose, .indicatorFell: ["indicator", "level"]
        case .indicatorCross, .indicatorUp, .indicatorDown: ["indicator"]
        case .blind, .ruleQuieted, .time: ["time"]
        case .unfollowed: ["limit", "venue"]
        case .seesAgain: ["time", "since"]
        case .before: ["previous"]
        case .late, .close: ["window"]
        case .titleDigest, .quieted, .more, .seconds, .minutes, .hours, .days: ["count"]
        default: []
        }
    }

    /// Whether the text depends on a number of things.
    package var isCounted: Bool { placeholders == ["count"] }
}
