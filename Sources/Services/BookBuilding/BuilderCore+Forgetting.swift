import Bus
import Instruments

extension BuilderCore {
    /// What is known by the numbers of topics and producers that mean others from now on.
    ///
    /// Of trades that come again nobody knows what was missed; a book finds that by its own numbers.
    mutating func forget(_ gone: BusForgotten, _ batch: BusBatch, _ now: Timestamp) {
        for topic in gone.topics where Int(topic.rawValue) < kinds.count {
            let place = Int(topic.rawValue)
            switch kinds[place] {
            case .trade(let index), .stored(let index): board.lose(index, at: now)
            case .delta, .snapshot, .ticker, .heartbeat, .other, .unknown: break
            }
            kinds[place] = .unknown
        }
        for producer in gone.producers where Int(producer.rawValue) < heard.count {
            heard[Int(producer.rawValue)] = 0
            voices.forget(Int(producer.rawValue))
        }
        let needed = Set(set.entries.compactMap { $0.follows?.producer })
        set.presence.forget(Set(gone.producers.map(batch.producer)), except: needed)
    }
}
