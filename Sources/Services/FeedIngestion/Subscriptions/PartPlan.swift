import Venues

/// Which instruments of a venue are followed by which part of its feed, each with connections of its own.
///
/// An instrument stays where it is as long as its channels fit there, whatever comes and goes beside it; one
/// that comes goes to where it was before, or else to the first part with room, or to a new one. With as
/// many instruments as ``VenueDescription/mostInstruments`` says, all have a place.
struct PartPlan: Sendable {
    /// An instrument that another part has now.
    struct Move: Hashable, Sendable {
        let symbol: String
        let from: Int
        let to: Int
    }

    /// What is to be done.
    struct Change: Hashable, Sendable {
        /// What each part follows, in the order of the wishes.
        var parts: [[VenueSubscriptions.SymbolSubscription]] = []
        /// In the order of the wishes.
        var moves: [Move] = []
        /// What no part has room for.
        var homeless: [String] = []
    }

    private struct Place: Sendable {
        var part: Int
        var topics: Int
    }

    private let description: VenueDescription
    private let limit: ConnectionBounds
    private var places: [String: Place] = [:]
    /// Where each instrument was last, also of those that nobody wants now.
    private var homes: [String: Int] = [:]
    /// Topics of each part.
    private var used: [Int] = []

    init(_ description: VenueDescription) {
        self.description = description
        limit = description.connections
    }

    /// Where an instrument is followed.
    func part(of symbol: String) -> Int? { places[symbol]?.part }

    /// Follows these instead of the present ones.
    mutating func place(_ wants: [VenueSubscriptions.SymbolSubscription]) -> Change {
        let needs = wants.map { description.topics(of: $0.channels) }
        keep(Array(zip(wants, needs)))
        var change = Change()
        for (want, topics) in zip(wants, needs) where places[want.symbol] == nil {
            guard let part = room(for: topics, near: homes[want.symbol]) else {
                change.homeless.append(want.symbol)
                continue
            }
            put(want.symbol, Place(part: part, topics: topics))
            if let home = homes.updateValue(part, forKey: want.symbol), home != part {
                change.moves.append(Move(symbol: want.symbol, from: home, to: part))
            }
        }
        change.parts = used.map { _ in [] }
        for want in wants {
            if let place = places[want.symbol] { change.parts[place.part].append(want) }
        }
        return change
    }

    /// Leaves what is wanted where it is: first what does not grow, which always fits.
    private mutating func keep(_ needs: [(want: VenueSubscriptions.SymbolSubscription, topics: Int)]) {
        let old = places
        places = [:]
        used = used.map { _ in 0 }
        for growing in [false, true] {
            for (want, topics) in needs {
                guard let place = old[want.symbol], (topics > place.topics) == growing,
                    !growing || used[place.part] + topics <= limit.topics
                else { continue }
                put(want.symbol, Place(part: place.part, topics: topics))
            }
        }
    }

    private mutating func put(_ symbol: String, _ place: Place) {
        places[symbol] = place
        used[place.part] += place.topics
    }

    /// The part that takes so many topics more; `nil` where none does.
    private mutating func room(for topics: Int, near home: Int?) -> Int? {
        if let home, used[home] + topics <= limit.topics { return home }
        if let part = used.firstIndex(where: { $0 + topics <= limit.topics }) { return part }
        guard used.count < limit.parts, topics <= limit.topics else { return nil }
        used.append(0)
        return used.count - 1
    }
}
