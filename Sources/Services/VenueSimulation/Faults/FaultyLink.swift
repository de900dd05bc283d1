import Instruments

/// One connection from a venue to its client, with faults on the way.
///
/// Messages and times go in, what leaves and when comes out; the same seed and messages give the same faults.
/// Messages keep their order but for those whose fault it is to lose it.
struct FaultyLink: Sendable {
    /// What leaves towards the client.
    enum Departure: Hashable, Sendable {
        /// A whole message.
        case message([UInt8])
        /// A part of one.
        case part([UInt8], isFirst: Bool, isLast: Bool)
        /// The end of the connection.
        case end

        fileprivate var count: Int {
            switch self {
            case .message(let bytes), .part(let bytes, _, _): bytes.count
            case .end: 0
            }
        }
    }

    /// Bytes that may wait; a connection on which more do is ended.
    static let limit = 16 << 20
    /// How long a message is held that others are to overtake, where too few come.
    private static let patience: Int64 = 2_000_000_000
    private static let pieces = 8

    private struct Parcel { var due: Timestamp, departure: Departure }
    private struct Held { var message: [UInt8], behind: Int, until: Timestamp }

    var dice: FaultDice
    /// Whether nothing leaves and nothing is heard any more.
    private(set) var isHalfOpen = false
    private var hasEnded = false
    private var queue: [Parcel] = []
    private var held: [Held] = []
    private var waiting = 0
    /// What is taken leaves no earlier.
    private var gate = Timestamp(nanoseconds: .min)
    private var skew = 0
    /// What becomes of a text on the wire, such as packing.
    private let transform: @Sendable ([UInt8]) -> [UInt8]

    init(_ dice: FaultDice, transform: @escaping @Sendable ([UInt8]) -> [UInt8] = { $0 }) {
        self.dice = dice
        self.transform = transform
    }

    /// When something leaves next; `nil` while nothing waits.
    var nextDeparture: Timestamp? {
        guard !isHalfOpen else { return nil }
        return ([queue.first?.due] + held.map(\.until)).compactMap(\.self).min()
    }

    /// Takes a message of the venue.
    ///
    /// - Parameters:
    ///   - message: Text, before it is packed.
    ///   - isImage: Whether it is a whole book.
    ///   - now: Not before the time of the last call.
    mutating func take(_ message: [UInt8], isImage: Bool, at now: Timestamp) {
        guard !isHalfOpen, !hasEnded else { return }
        interrupt(at: now)
        guard !isHalfOpen, !hasEnded else { return }
        let wire = transform(told(message))
        if strikes(.drop) { return overtaken(at: now) }
        if isImage, strikes(.lateSnapshot) {
            return hold(wire, behind: dice.number(1...20), for: 2 * Self.patience, at: now)
        }
        if strikes(.reorder) {
            return hold(wire, behind: dice.number(1...3), for: Self.patience, at: now)
        }
        for _ in 0..<(strikes(.duplicate) ? 2 : 1) { send(damaged(wire), at: now) }
        overtaken(at: now)
    }

    /// What leaves up to now, in order.
    mutating func leave(at now: Timestamp) -> [Departure] {
        guard !isHalfOpen else { return [] }
        for one in held where one.until <= now { push(.message(one.message), at: now) }
        held.removeAll { $0.until <= now }
        let count = queue.prefix { $0.due <= now }.count
        let leaving = queue.prefix(count).map(\.departure)
        queue.removeFirst(count)
        waiting -= leaving.reduce(0) { $0 + $1.count }
        return leaving
    }

    /// No fault strikes from now on; what is under way arrives.
    mutating func rest() {
        dice.rest()
        skew = 0
    }

    // MARK: - The connection

    private mutating func interrupt(at now: Timestamp) {
        if strikes(.halfOpen) { return isHalfOpen = true }
        if strikes(.disconnect) { return end(at: now) }
        if strikes(.stall) {
            gate = max(gate, now.adding(nanoseconds: dice.time(milliseconds: 2_000...8_000)))
        }
    }

    private mutating func end(at now: Timestamp) {
        hasEnded = true
        push(.end, at: now)
    }

    private mutating func strikes(_ kind: FaultKind) -> Bool {
        guard dice.happens(kind) else { return false }
        dice.note(kind)
        return true
    }

    // MARK: - A message

    /// What the venue says wrongly itself.
    private mutating func told(_ message: [UInt8]) -> [UInt8] {
        var message = message
        if dice.happens(.clockSkew) {
            skew = dice.number(-3_600...3_600)
            dice.note(.clockSkew)
        }
        if skew != 0 { message = MessageDamage.skewed(message, seconds: skew) ?? message }
        if dice.happens(.crossedBook), let crossed = MessageDamage.crossed(message) {
            dice.note(.crossedBook)
            message = crossed
        }
        return message
    }

    private mutating func damaged(_ message: [UInt8]) -> [UInt8] {
        var message = message
        if strikes(.corrupt) { message = MessageDamage.corrupted(message, &dice) }
        if strikes(.truncate) { message = MessageDamage.truncated(message, &dice) }
        return message
    }

    private mutating func send(_ message: [UInt8], at now: Timestamp) {
        guard message.count >= 2, strikes(.slowDrip) else { return push(.message(message), at: now) }
        let size = max(1, (message.count + Self.pieces - 1) / Self.pieces)
        let starts = Array(stride(from: 0, to: message.count, by: size))
        for start in starts {
            let part = Array(message[start..<min(start + size, message.count)])
            push(.part(part, isFirst: start == 0, isLast: start == starts.last), at: now)
            gate = max(gate, now).adding(nanoseconds: dice.time(milliseconds: 20...400))
        }
    }

    private mutating func push(_ departure: Departure, at now: Timestamp) {
        waiting += departure.count
        queue.append(Parcel(due: max(gate, now), departure: departure))
        if waiting > Self.limit, !hasEnded { end(at: now) }
    }

    private mutating func hold(_ message: [UInt8], behind: Int, for time: Int64, at now: Timestamp) {
        overtaken(at: now)
        held.append(Held(message: message, behind: behind, until: now.adding(nanoseconds: time)))
    }

    /// One more message has passed those that are held.
    private mutating func overtaken(at now: Timestamp) {
        for place in held.indices { held[place].behind -= 1 }
        for one in held where one.behind <= 0 { push(.message(one.message), at: now) }
        held.removeAll { $0.behind <= 0 }
    }
}
