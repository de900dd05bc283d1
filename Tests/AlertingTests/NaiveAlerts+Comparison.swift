import Alerting
import Instruments

extension NaiveAlerts {
    /// How an engine's answer differs from what the model fired since it was asked last; `nil` where it does
    /// not.
    mutating func difference(from outputs: [AlertOutput]) -> String? {
        let found = outputs.compactMap { output -> NaiveFiring? in
            guard case .fired(let firing) = output else { return nil }
            return NaiveFiring(
                rule: firing.rule.description, epoch: firing.epoch, time: firing.venueTime.nanoseconds,
                late: firing.lateBy, price: firing.price?.normalized, tradeID: firing.tradeID,
                way: way(of: firing))
        }
        // A rule's text orders as its id does.
        let wanted = firings.enumerated().sorted { left, right in
            (left.element.time, left.element.rule, left.offset) < (
                right.element.time, right.element.rule, right.offset
            )
        }.map(\.element)
        firings.removeAll()
        let isOrdered = wanted.allSatisfy { $0.late == 0 }
        func ordered(_ firings: [NaiveFiring]) -> [NaiveFiring] {
            isOrdered
                ? firings : firings.sorted { ($0.time, $0.rule, $0.epoch) < ($1.time, $1.rule, $1.epoch) }
        }
        return ordered(found) == ordered(wanted) ? nil : "engine \(found), model \(wanted)"
    }

    private func way(of firing: Firing) -> Int {
        switch firing.cause {
        case .rose, .leftUpwards: 1
        case .fell, .leftDownwards: -1
        case .already:
            firings.first { $0.rule == firing.rule.description && $0.epoch == firing.epoch }?.way ?? 0
        default: 0
        }
    }
}
