import Synchronization

/// The texts behind the small numbers of topics and producers.
///
/// A number means one name here for ever. When names are forgotten, what comes afterwards gets names of its
/// own: batches that still wait keep theirs, whatever their numbers mean later.
final class SubscriberNames: Sendable {
    private struct State {
        var topics: [String] = []
        var producers: [String] = []
    }

    private let state: Mutex<State>

    init() { state = Mutex(State()) }

    private init(_ state: State) { self.state = Mutex(state) }

    /// The same names without these.
    func without(_ forgotten: BusForgotten) -> SubscriberNames {
        var state = state.withLock { $0 }
        for topic in forgotten.topics { state.topics[Int(topic.rawValue)] = "" }
        for producer in forgotten.producers { state.producers[Int(producer.rawValue)] = "" }
        return SubscriberNames(state)
    }

    /// Names a number, which is free or the next.
    func put(topic: String, at index: Int) { state.withLock { Self.put(topic, at: index, in: &$0.topics) } }

    /// Names a number, which is free or the next.
    func put(producer: String, at index: Int) {
        state.withLock { Self.put(producer, at: index, in: &$0.producers) }
    }

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

    private static func put(_ name: String, at index: Int, in names: inout [String]) {
        if index < names.count { names[index] = name } else { names.append(name) }
    }
}
