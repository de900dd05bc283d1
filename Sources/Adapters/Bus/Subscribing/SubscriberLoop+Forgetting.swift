extension SubscriberLoop {
    /// Forgets topics and producers that were silent for long, once the consumer has been told.
    ///
    /// Their numbers are used again: so the consumer must have everything that came before, nothing of it
    /// may be owed, and this must be taken.
    mutating func forget() {
        tracker.listen(until: now, isHearing: !isSilent)
        guard builder.isEmpty, ledger.isEmpty, callbacks.hasRoom(),
            let gone = tracker.forgettable(after: configuration.forgetsAfter.wholeNanoseconds)
        else { return }
        builder.append(.forgotten(gone))
        let batch = builder.finish(after: [])
        guard callbacks.offer(batch) else { return }
        let names = batch.names(without: gone)
        tracker.forget(gone, names: names)
        builder = BatchBuilder(names: names)
        counters.forgottenTopics &+= UInt64(gone.topics.count)
        counters.forgottenProducers &+= UInt64(gone.producers.count)
    }
}

extension Duration {
    /// Bounded, so that sums stay ones: a million seconds are eleven days.
    fileprivate var wholeNanoseconds: Int64 {
        min(components.seconds, 1_000_000) * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
