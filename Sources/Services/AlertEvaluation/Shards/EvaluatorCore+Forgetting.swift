import Bus
import Instruments

extension EvaluatorCore {
    /// What is known by the numbers of topics and producers that mean others from now on.
    ///
    /// Of trades that come again nobody knows what was missed.
    mutating func forget(_ gone: BusForgotten, _ now: Timestamp) {
        for topic in gone.topics where Int(topic.rawValue) < kinds.count {
            if case .trade(let index) = kinds[Int(topic.rawValue)] {
                loseTrades(index, "nothing was heard of its trades for long", now)
            }
            kinds[Int(topic.rawValue)] = .unknown
        }
        let absent = Set(gone.producers)
        for producer in gone.producers {
            unheard[producer] = nil
            if Int(producer.rawValue) < heard.count { heard[Int(producer.rawValue)] = nil }
        }
        for index in followers.indices {
            if let known = followers[index].bookProducer, absent.contains(known) {
                followers[index].bookProducer = nil
            }
            if let known = followers[index].referenceProducer, absent.contains(known) {
                followers[index].referenceProducer = nil
            }
        }
    }
}
