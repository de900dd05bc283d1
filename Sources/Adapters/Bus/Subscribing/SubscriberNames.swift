import Synchronization

/// The texts behind the small numbers of topics and producers; grows, never changes.
final class SubscriberNames: Sendable {
    private struct State {
        var topics: [String] = []
        var producers: [String] = []
    }

    private let state = Mutex(State())

    func append(topic: String) { state.withLock { $0.topics.append(topic) } }

    func append(producer: String) { state.withLock { $0.producers.append(producer) } }

    func topic(_ index: BusTopicIndex) -> String {
        state.withLock { state in
            precondition(
                state.topics.indices.contains(Int(index.rawValue)),
                "a topic's number is used with its subscriber")
            return state.topics[Int(index.rawValue)]
        }
    }

    func producer(_ index: BusProducerIndex) -> String {
        state.withLock { state in
            precondition(
                state.producers.indices.contains(Int(index.rawValue)),
                "a producer's number is used with its subscriber")
            return state.producers[Int(index.rawValue)]
        }
    }
}
