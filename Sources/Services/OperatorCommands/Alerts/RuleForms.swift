import Alerting

/// What a rule may say, as help shows it: each line is read by the one reader of rules.
enum RuleForms {
    /// A condition a line; long ones go on in a second line.
    static let conditions = ConditionCatalogue.standard.forms
        .map { broken($0.example.json) }.joined(separator: "\n")

    private static func broken(_ line: String) -> String {
        guard line.count > 80, let comma = line.prefix(60).lastIndex(of: ",") else { return line }
        return "\(line[...comma])\n\(line[line.index(after: comma)...])"
    }

    /// A field a line.
    static let options = """
        "repeat":{"cooldown":"1h","hysteresis":"10"}
        "when_already":true
        "for":"5m"
        "expires":"2030-12-31T00:00:00Z"
        "active":{"hours":"08:00-22:00","days":["mon"],"time_zone":"Europe/Berlin"}
        "note":"sell half"
        "tags":["btc"]
        "channels":["phone"]
        "priority":"high"
        """
}
