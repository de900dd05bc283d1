import Instruments
import MarketData

extension RotatingSession {
    /// Lets a session act; what it says goes out as it is where nothing is to be compared.
    ///
    /// - Parameters:
    ///   - place: Which of them.
    ///   - time: The time.
    ///   - output: Gets what counts.
    ///   - asItIs: Whether all that it says now counts.
    ///   - body: What it does.
    mutating func perform(
        _ place: Int, at time: Timestamp, into output: inout VenueOutput, asItIs: Bool = false,
        _ body: (inout any VenueSession, inout VenueOutput) -> Void
    ) {
        guard isPlain else { return act(place, at: time, into: &output, asItIs: asItIs, body) }
        let known = output.actions.count
        body(&lines[0].session, &output)
        if output.actions.count != known { own(from: known, in: &output) }
    }

    /// Gives actions the numbers of the only session.
    mutating func own(from start: Int, in output: inout VenueOutput) {
        for place in start..<output.actions.count {
            output.actions[place] = lines[0].own(output.actions[place])
        }
    }

    /// Lets a session act, and takes of what it says what counts.
    mutating func act(
        _ place: Int, at time: Timestamp, into output: inout VenueOutput, asItIs: Bool = false,
        _ body: (inout any VenueSession, inout VenueOutput) -> Void
    ) {
        body(&lines[place].session, &scratch)
        for action in scratch.actions { output.actions.append(lines[place].own(action)) }
        var changed: Set<InstrumentIndex> = []
        for position in scratch.events.indices {
            let event = scratch.events[position]
            if asItIs, event.identity != nil {
                output.events.append(event)
            } else {
                take(event, from: place, at: time, into: &output)
            }
            if place == 1, case .book(let book) = event { changed.insert(book.instrument) }
        }
        if place == 0 { output.listed += scratch.listed }
        output.count(scratch)
        scratch.removeAll()
        scratch.counters = VenueCounters()
        guard case .together = phase else { return }
        for index in changed.sorted(by: { $0.offset < $1.offset }) {
            goOver(index, at: time, isDue: false, into: &output)
        }
    }

    /// A message while it matters who says it.
    mutating func compare(
        _ frame: UnsafeRawBufferPointer, _ connection: Int, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        guard let place = place(of: connection) else { return }
        let own = connection - lines[place].base
        act(place, at: time, into: &output) { $0.receive(frame, connection: own, at: time, into: &$1) }
    }

    /// The one that counts in what has a state and no identity.
    private var leader: Int {
        if case .together = phase { 1 } else { 0 }
    }

    private mutating func take(
        _ event: MarketEvent, from place: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        switch event {
        case .book(let book):
            lines[place].note(book)
            if self.place(of: book.instrument) == place { output.tell(book, of: scratch) }
        case .state(let index, _):
            if self.place(of: index) == place { output.events.append(event) }
        case .instrument:
            if place == 0 { output.events.append(event) }
        case .trade, .liquidation, .candle, .ticker, .mark, .derivative:
            guard let key = event.identity else {
                if place == leader { tell(event, into: &output) }
                return
            }
            hear(event, key, from: place, at: time, into: &output)
        }
    }

    private mutating func hear(
        _ event: MarketEvent, _ key: TapeOverlap.Key, from place: Int, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        if place == 1, case .preparing = phase {
            // What a venue repeats to whoever subscribes the first one has heard.
            if case .trade(_, let trade) = event, trade.isBackfill { return }
            overlap?.hold(event, key)
            return
        }
        if overlap?.isNews(key, from: place, at: time) ?? true { tell(event, into: &output) }
    }

    mutating func tell(_ event: MarketEvent, into output: inout VenueOutput) {
        if let event = told.admit(event) { output.events.append(event) }
    }
}
