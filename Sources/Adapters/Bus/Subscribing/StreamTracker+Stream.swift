extension StreamTracker {
    /// One stream: a topic by one producer.
    ///
    /// What came and what was only told of are kept apart. Messages and heartbeats of one publisher come in
    /// its order; so what a heartbeat told is refuted by a message that it counted as lost, and by a later
    /// heartbeat that tells less. From then on it counts no more: whoever tells a number that was never sent
    /// is believed until the producer speaks.
    struct Stream {
        var producer: Int32 = -1
        var isWanted = false
        /// Whether a live message was seen; before that nothing can be missing.
        var hasMessage = false
        /// Somebody asked for its state again: the answer is delivered even if it is known.
        var isAskedAgain = false
        /// Heartbeats in a row that named a later number while no message came.
        var unansweredBeats: UInt8 = 0
        /// In which synchronization the number of a stream without messages was learnt.
        var generation: UInt32 = 0
        var epoch: UInt64 = 0
        /// The last message that came; before the first one, the last that was not owed.
        var last: UInt64 = 0
        /// The last message that a heartbeat told of and that did not come.
        private var told: UInt64 = 0
        /// When the topic was heard, or named by a heartbeat, in the time of ``listened``.
        var heardAt: Int64 = 0
        /// Its last message said that it was the last.
        var hasEnded = false

        init(producer: Int32 = -1, isWanted: Bool = false, heardAt: Int64 = 0) {
            self.producer = producer
            self.isWanted = isWanted
            self.heardAt = heardAt
        }

        /// Somebody speaks on the topic, or of it.
        mutating func hear(at time: Int64) {
            heardAt = time
            hasEnded = false
        }

        /// A message came.
        mutating func judge(_ sequence: UInt64, in epoch: UInt64, since generation: UInt32) -> Verdict {
            unansweredBeats = 0
            if !hasMessage {
                // A heartbeat since the subscription holds has told up to where nothing was owed.
                let isTold = self.generation == generation && self.epoch == epoch
                let expected = takeExpected(before: sequence)
                hasMessage = true
                self.epoch = epoch
                last = sequence
                return isTold && sequence > expected ? .deliverAfterGap(expected: expected) : .deliver
            }
            // A past life was turned away already, so this one is new and starts at 1.
            if self.epoch != epoch { begin(epoch, after: 0) }
            guard sequence > last else { return .duplicate }
            let expected = takeExpected(before: sequence)
            last = sequence
            return sequence == expected ? .deliver : .deliverAfterGap(expected: expected)
        }

        /// A heartbeat tells the last number; answers the first that is missing, if that is news.
        mutating func claim(_ number: UInt64, in epoch: UInt64, since generation: UInt32) -> UInt64? {
            if !hasMessage, self.generation != generation || self.epoch != epoch || number < last {
                // Published before the subscription was known to hold: nothing of it was owed.
                self.generation = generation
                begin(epoch, after: number)
                return nil
            }
            if self.epoch != epoch { begin(epoch, after: 0) }
            if number < last {
                // A number came that the producer has not sent. What it did send since may have been taken
                // for older than that: so its newest counts as lost.
                begin(epoch, after: number)
                return number
            }
            let known = number < told ? last : max(last, told)
            told = number
            guard number > known else { return nil }
            unansweredBeats = min(unansweredBeats + 1, unansweredBeatsLimit)
            return known &+ 1
        }

        private mutating func begin(_ epoch: UInt64, after number: UInt64) {
            self.epoch = epoch
            last = number
            told = 0
        }

        /// The number that should come now, and whether what was told still holds.
        private mutating func takeExpected(before sequence: UInt64) -> UInt64 {
            guard told >= sequence else { return max(last, told) &+ 1 }
            told = 0
            return last &+ 1
        }
    }
}
