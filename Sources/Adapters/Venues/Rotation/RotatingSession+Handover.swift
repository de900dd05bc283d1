import Instruments
import MarketData

extension RotatingSession {
    /// Takes the next step, if it is time for one.
    mutating func goOn(at time: Timestamp, into output: inout VenueOutput) {
        switch phase {
        case .alone:
            guard time >= trailEnd else { return }
            overlap = nil
            told = ToldStates()
            isPlain = true
        case .preparing(let start):
            if isSecondWhole(at: time) { return join(at: time, into: &output) }
            guard time.nanoseconds(since: start) > Self.preparingLimit else { return }
            giveUp("its books were not live in time", at: time, into: &output)
        case .together(let start):
            let length = time.nanoseconds(since: start)
            let isDue = length >= Self.together.least
            for index in wantedBooks { goOver(index, at: time, isDue: isDue, into: &output) }
            if isDue, isEverythingOver(since: start, at: time) {
                return takeOver(.tookOver, at: time, into: &output)
            }
            guard length > Self.together.most else { return }
            giveUp("it does not say the same", at: time, into: &output)
        }
    }

    /// Whether the second session has its connections, and each book that the first one has.
    private func isSecondWhole(at time: Timestamp) -> Bool {
        lines[1].isConnected && time.nanoseconds(since: lines[1].openedAt) >= Self.lag
            && wantedBooks.allSatisfy { isLive($0, 1) || lines[0].session.state(of: $0) == .syncing }
    }

    private func isLive(_ index: InstrumentIndex, _ place: Int) -> Bool {
        lines[place].session.state(of: index) == .live
    }

    /// Begins to listen to both.
    private mutating func join(at time: Timestamp, into output: inout VenueOutput) {
        phase = .together(since: time)
        for event in overlap?.release(at: time) ?? [] { tell(event, into: &output) }
        for index in wantedBooks { goOver(index, at: time, isDue: false, into: &output) }
    }

    /// Lets a book go over to the second session, if that has it and is not behind.
    ///
    /// - Parameters:
    ///   - index: Whose book it is.
    ///   - time: When that is.
    ///   - isDue: Whether it goes over also where that seems to be behind.
    ///   - output: Gets what changes by that.
    mutating func goOver(
        _ index: InstrumentIndex, at time: Timestamp, isDue: Bool, into output: inout VenueOutput
    ) {
        guard !moved.contains(index), isLive(index, 1) else { return }
        if !isDue, isLive(index, 0), let ours = lines[0].bookTime(index),
            let theirs = lines[1].bookTime(index),
            theirs < ours, lines[0].session.book(of: index) != lines[1].session.book(of: index)
        {
            return
        }
        pass(index, from: 0, to: 1, at: time, into: &output)
        moved.insert(index)
    }

    /// Says what makes the book of one session that of the other.
    private func pass(
        _ index: InstrumentIndex, from old: Int, to new: Int, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        guard isLive(index, new), let book = lines[new].session.book(of: index) else {
            let state = lines[new].session.state(of: index)
            // One that is crossed for a moment goes on by changes, so that its levels have to be known.
            if state == .suspect, let book = lines[new].session.book(of: index), book.isCrossed {
                return output.tellWhole(index, book, venueTime: lines[new].bookTime(index), at: time)
            }
            // What neither of them has is as it was.
            if lines[old].session.state(of: index) == state { return }
            let change = BookStateChange(
                state: state == .live ? .syncing : state, reason: .snapshotPending, detail: "",
                receivedTime: time)
            return output.events.append(.state(index, change))
        }
        let venueTime = lines[new].bookTime(index)
        if isLive(index, old), let before = lines[old].session.book(of: index),
            output.tell(index, from: before, to: book, venueTime: venueTime, at: time)
        {
            return
        }
        output.tellWhole(index, book, venueTime: venueTime, at: time)
    }

    /// Whether the first session is needed no more: each book has gone over, and the second one says the
    /// trades as well.
    private func isEverythingOver(since start: Timestamp, at time: Timestamp) -> Bool {
        // What was said within the last seconds may still come, and what was said long ago may have happened
        // before the second one had subscribed to it.
        let last = time.adding(nanoseconds: -Self.lag)
        let first = max(start, last.adding(nanoseconds: -5_000_000_000))
        return wantedBooks.allSatisfy { moved.contains($0) || !isLive($0, 0) }
            && overlap?.owesTrades(saidFrom: first, to: last) != true
    }

    /// The second session becomes the only one.
    mutating func takeOver(_ word: News, at time: Timestamp, into output: inout VenueOutput) {
        for index in wantedBooks where !moved.contains(index) {
            pass(index, from: 0, to: 1, at: time, into: &output)
        }
        schedule.succeeded()
        news.append(word)
        end(without: 0, at: time)
    }

    /// The first session is the only one again.
    mutating func giveUp(_ reason: String, at time: Timestamp, into output: inout VenueOutput) {
        for index in wantedBooks where moved.contains(index) {
            pass(index, from: 1, to: 0, at: time, into: &output)
        }
        schedule.failed(at: time)
        news.append(.failed(reason))
        end(without: 1, at: time)
    }

    private mutating func end(without place: Int, at time: Timestamp) {
        retired += lines[place].asked.sorted()
        lines.remove(at: place)
        overlap?.settle(without: place)
        moved = []
        wantedBooks = []
        phase = .alone
        trailEnd = time.adding(nanoseconds: Self.trail)
    }
}
