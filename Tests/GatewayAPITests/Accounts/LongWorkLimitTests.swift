import AccountStore
import Instruments
import Store
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

@Suite("Exports and imports at once")
struct LongWorkLimitTests {
    @Test("are one of a user and a few of all, and each is told why not")
    func places() throws {
        let limit = LongWorkLimit(2)
        func user(_ number: UInt64) -> UserID { UserID(rawValue: UniqueID(high: 1, low: number)) }
        let (ann, ben, eve) = (user(1), user(2), user(3))
        func refusal(_ user: UserID) -> String? {
            do throws(Problem) {
                _ = try limit.enter(user)
                return nil
            } catch {
                return error.code == .throttled && error.retryAfter == 10 ? error.detail : "another problem"
            }
        }
        let first = try limit.enter(ann)
        #expect(refusal(ann) == "an export or import of yours is not done; try again in a moment")
        let second = try limit.enter(ben)
        #expect(refusal(eve) == "others export or import; try again in a moment")
        first.leave()
        // Left once, however often that is said: the place may be somebody else's by now.
        let third = try limit.enter(ann)
        first.leave()
        #expect(refusal(ann) != nil)
        withExtendedLifetime((second, third)) {}
    }
}
