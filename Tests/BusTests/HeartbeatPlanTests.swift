import Testing
import Wire

@testable import Bus

@Suite("Heartbeat plan")
struct HeartbeatPlanTests {
    private func topics(_ count: Int) -> [PublisherTopic] {
        (0..<count).map {
            PublisherTopic(text: "t\($0).", index: $0, of: PublisherLife("p", epoch: 1) { true })
        }
    }

    @Test("beats without topics too")
    func empty() {
        var plan = HeartbeatPlan()
        #expect(plan.next().map(\.topics) == [[]])
    }

    @Test("names the last number of every topic sent to, also one whose messages were refused")
    func active() {
        var plan = HeartbeatPlan()
        let topics = topics(3)
        plan.note(topics[2], 7)
        plan.note(topics[0], 1)
        plan.note(topics[2], 8)
        let beat = plan.next()
        #expect(beat.map(\.topics) == [["t0.", "t2."]])
        #expect(beat.map(\.sequences) == [[1, 8]])
        #expect(beat.map(\.topicCount) == [2])
    }

    @Test("comes round to every idle topic")
    func rotation() {
        var plan = HeartbeatPlan()
        let topics = topics(2_000)
        for topic in topics { plan.note(topic, 1) }
        var named: Set<String> = []
        for _ in 0..<5 { named.formUnion(plan.next().flatMap(\.topics)) }
        #expect(named.count == 2_000)
        named = []
        for _ in 0..<4 {
            let beat = plan.next().flatMap(\.topics)
            #expect(beat.count == HeartbeatPlan.idlePerBeat)
            named.formUnion(beat)
        }
        #expect(named.count == 2_000)
    }

    @Test("is cut into messages of a bounded size")
    func bounded() {
        var plan = HeartbeatPlan()
        for topic in topics(5_000) { plan.note(topic, 1) }
        let beat = plan.next()
        #expect(beat.map(\.topics.count) == [2_000, 2_000, 1_000])
    }

    @Test("names no topic that has ended, and gives its place to another")
    func ended() {
        var plan = HeartbeatPlan()
        let topics = topics(2)
        for topic in topics { plan.note(topic, 3) }
        topics[1].hasEnded = true
        plan.end(topics[1])
        #expect(plan.next().map(\.topics) == [["t0."]])
        let other = PublisherTopic(text: "other.", index: 1, of: PublisherLife("p", epoch: 1) { true })
        plan.note(other, 1)
        // What was refused of the ended one is told behind its end.
        plan.note(topics[1], 5)
        plan.end(topics[1])
        let beat = plan.next()
        #expect(beat.map(\.topics) == [["t0.", "other."]])
        #expect(beat.map(\.sequences) == [[3, 1]] && beat.map(\.topicCount) == [2])
    }

    @Test("a topic that is begun again goes on after its end, and few ends are remembered")
    func begunAgain() {
        var ended = EndedTopics()
        #expect(ended.take("a.") == 0)
        ended.note(text: "a.", last: 7)
        #expect(ended.take("a.") == 7 && ended.take("a.") == 0)
        for number in 0..<10_000 { ended.note(text: "t\(number).", last: 2) }
        #expect(ended.count == EndedTopics.limit)
        #expect(ended.take("t9999.") == 2 && ended.take("t0.") == 0)
    }

    @Test("a topic that ended twice is remembered from its second end on")
    func endedTwice() {
        var ended = EndedTopics()
        ended.note(text: "a.", last: 7)
        #expect(ended.take("a.") == 7)
        for number in 0..<100 { ended.note(text: "t\(number).", last: 2) }
        // Nothing was said between its ends.
        ended.note(text: "a.", last: 7)
        // The first end is too old now, the second is not.
        for number in 100..<EndedTopics.limit { ended.note(text: "t\(number).", last: 2) }
        #expect(ended.take("a.") == 7)
    }
}
