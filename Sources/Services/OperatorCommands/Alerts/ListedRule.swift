import Alerting
import Instruments
import JSON

/// A rule of the gateway's answers: what it says, and what is known of it.
struct ListedRule {
    let json: JSONValue
    let rule: AlertRule

    /// What is not part of the rule itself.
    private static let standing: Set = ["state", "version", "fired", "done", "created", "updated"]

    /// - Throws: ``CommandFailure`` for what this program does not know.
    init(_ json: JSONValue) throws {
        var members: [JSONObject.Element] = []
        if case .object(let all) = json { members = all.filter { !Self.standing.contains($0.key) } }
        self.json = json
        do throws(FieldFault) {
            rule = try AlertRule(json: JSONValue.object(JSONObject(members)).bytes)
        } catch {
            throw CommandFailure(.failed, "the gateway tells a rule that is none here: \(error.description)")
        }
    }
}
