import Synchronization
import Testing

@testable import Operations

@Suite("What is done before a process ends that does not stop")
struct ExitActionsTests {
    private final class RecordedActions: Sendable {
        let texts = Mutex<[String]>([])
    }

    // That the process ends with it is seen in `bitpal up` only: a process that ends takes the tests along,
    // and the runner's own way of testing an end waits for ever beside children that nobody waits for.
    @Test("is all of it, in the order in which it was added")
    func order() {
        let (deeds, told) = (ExitActions(), RecordedActions())
        for text in ["first", "second", "third"] {
            deeds.add { told.texts.withLock { $0.append(text) } }
        }
        deeds.perform()
        #expect(told.texts.withLock { $0 } == ["first", "second", "third"])
    }
}
