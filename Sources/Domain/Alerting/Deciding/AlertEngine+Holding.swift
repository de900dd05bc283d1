import Instruments

extension AlertEngine {
    /// Begins to wait for the time that a condition must hold.
    mutating func hold(
        _ slot: UInt32, _ options: RuleOptions, _ previous: DecimalNumber?, _ tick: Tick
    ) {
        let place = Int(table[slot].place)
        let deadline = tick.time.adding(nanoseconds: options.sustain)
        table[slot].flags.insert(.pending)
        series[place].wait(LevelSeries.Pending(deadline: deadline, slot: slot, from: previous))
        if let release = releaseLevel(of: slot) {
            series[place].insert(release.level, LevelTag(slot, .cancel), rises: release.rises)
        }
        note(slot, .holding(until: deadline), previous, tick)
    }

    mutating func release(_ slot: UInt32) {
        guard table[slot].flags.contains(.pending) else { return }
        let place = Int(table[slot].place)
        if let release = releaseLevel(of: slot) {
            series[place].remove(release.level, LevelTag(slot, .cancel), rises: release.rises)
        }
        series[place].cancelWait(slot)
        table[slot].flags.remove(.pending)
    }

    /// Fires the rules of a series whose condition has held for its time.
    mutating func fireDue(
        _ place: Int, at time: Timestamp, _ tick: Tick, into output: inout [AlertOutput]
    ) {
        guard time >= series[place].nextDeadline else { return }
        let due = series[place].takeDue(at: time).sorted {
            $0.deadline == $1.deadline ? table[$0.slot].id < table[$1.slot].id : $0.deadline < $1.deadline
        }
        for entry in due {
            let (slot, deadline) = (entry.slot, entry.deadline)
            if let release = releaseLevel(of: slot) {
                series[place].remove(release.level, LevelTag(slot, .cancel), rises: release.rises)
            }
            table[slot].flags.remove(.pending)
            let options = table.options(of: slot)
            let moment = Tick(
                time: deadline, received: tick.received, sequence: tick.sequence, lateBy: tick.lateBy)
            if expire(slot, options, moment, into: &output) { continue }
            let upwards = table[slot].flags.contains(.upwards)
            let cause: Firing.Cause =
                table[slot].shape == .band
                ? (upwards ? .leftUpwards : .leftDownwards) : (upwards ? .rose : .fell)
            fire(
                slot, options, cause, from: entry.from, moment,
                heldSince: deadline.adding(nanoseconds: -options.sustain), into: &output)
        }
    }
}
