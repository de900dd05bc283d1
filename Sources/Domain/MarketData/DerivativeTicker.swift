public import Instruments

/// What a venue says of the state of a perpetual or a future, beside its market: at what it values positions,
/// what longs pay to shorts, and how much is open.
///
/// It is a state: the newest of an instrument holds everything that is known of it, also what came with an
/// earlier message, and what the venue has never said is `nil`. A venue that says figures in several messages
/// gives one of these for each that changed something. All numbers are the venue's own, exact; nothing is
/// computed, converted or assumed here.
///
/// ``markPrice`` travels as ``MarkPrice`` as well, for those who follow nothing but that.
public struct DerivativeTicker: Hashable, Sendable {
    /// At what the venue values open positions.
    public var markPrice: DecimalNumber?
    /// The venue's own price of what lies beneath, over several markets.
    public var indexPrice: DecimalNumber?
    /// What is paid at ``nextFundingTime``, as it stands now: a fraction of a position's value for one whole
    /// interval, 0.0001 is one basis point.
    ///
    /// Above zero longs pay, below it shorts do.
    public var fundingRate: DecimalNumber?
    /// What the interval after that would cost, where the venue says it.
    public var predictedFundingRate: DecimalNumber?
    /// When ``fundingRate`` is paid; `nil` where it is paid all the time.
    public var nextFundingTime: Timestamp?
    /// The time that ``fundingRate`` is for.
    public var fundingIntervalSeconds: UInt32?
    /// What is open, of one side, in units of ``openInterestUnit``.
    public var openInterest: DecimalNumber?
    /// Never `nil` where ``openInterest`` is not.
    public var openInterestUnit: OpenInterestUnit?
    /// Of the newest message that changed something; `nil` where the venue gives none.
    public var venueTime: Timestamp?
    /// When we read that.
    public var receivedTime: Timestamp

    /// One of which nothing is known yet.
    public init(venueTime: Timestamp? = nil, receivedTime: Timestamp) {
        self.venueTime = venueTime
        self.receivedTime = receivedTime
    }

    /// Takes over what a message says; what it leaves out stays as it was.
    ///
    /// - Returns: Whether any figure is another one now. The times are the message's only then: a venue that
    ///   says the same again has said nothing new.
    public mutating func take(_ said: DerivativeTicker) -> Bool {
        var next = self
        next.markPrice = said.markPrice ?? markPrice
        next.indexPrice = said.indexPrice ?? indexPrice
        next.fundingRate = said.fundingRate ?? fundingRate
        next.predictedFundingRate = said.predictedFundingRate ?? predictedFundingRate
        next.nextFundingTime = said.nextFundingTime ?? nextFundingTime
        next.fundingIntervalSeconds = said.fundingIntervalSeconds ?? fundingIntervalSeconds
        next.openInterest = said.openInterest ?? openInterest
        next.openInterestUnit = said.openInterestUnit ?? openInterestUnit
        if next == self { return false }
        next.venueTime = said.venueTime
        next.receivedTime = said.receivedTime
        self = next
        return true
    }
}

/// What a number of open interest counts.
public enum OpenInterestUnit: UInt8, Hashable, Sendable, CaseIterable {
    /// Contracts, as sizes of the instrument's trades do: its definition says what one is.
    case contracts = 1
    /// The base asset.
    case base = 2
    /// The quote asset.
    case quote = 3

    /// Its word in texts and JSON.
    public var name: String {
        switch self {
        case .contracts: "contracts"
        case .base: "base"
        case .quote: "quote"
        }
    }
}

/// A position that the venue closes because its margin is gone.
///
/// Venues tell what they like of it: the order that closes a position, its executions, or only the largest of
/// a second. So a tape of these is no count of all, and none is known to be missing.
public struct Liquidation: Hashable, Sendable {
    /// The venue's id as text; `nil` where it gives none.
    public var id: String?
    /// Of the order that closes the position: a sale ends a long one.
    public var side: Side
    /// Exact; the order's limit, at which the position is worth nothing, or its execution, as the venue says.
    public var price: DecimalNumber
    /// Exact, as sizes of the instrument's trades count.
    public var size: DecimalNumber
    /// By the venue, `nil` where it gives none.
    public var venueTime: Timestamp?
    /// When we read it.
    public var receivedTime: Timestamp

    public init(
        id: String? = nil, side: Side, price: DecimalNumber, size: DecimalNumber, venueTime: Timestamp?,
        receivedTime: Timestamp
    ) {
        self.id = id
        self.side = side
        self.price = price
        self.size = size
        self.venueTime = venueTime
        self.receivedTime = receivedTime
    }
}
