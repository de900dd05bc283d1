import Alerting
import Encodings
import JSON

extension OutgoingRequest {
    /// A POST of JSON.
    static func json(
        _ url: String, _ body: JSONValue, headers: [Header] = [], isOwnDestination: Bool = false
    ) -> OutgoingRequest {
        OutgoingRequest(
            method: "POST", url: url,
            headers: [Header(name: "Content-Type", value: "application/json")] + headers, body: body.bytes,
            isOwnDestination: isOwnDestination)
    }
}

extension Notice {
    /// The address at which the alert can be seen in a browser.
    func link(on page: String?) -> String? {
        guard let page else { return nil }
        return rule == nil ? page : page + linkQuery
    }

    /// The address at which the app shows the alert.
    var appLink: String { rule == nil ? "bitpal://alert" : "bitpal://alert" + linkQuery }

    private var linkQuery: String {
        let id = rule.map { PercentText.encoded($0.description) } ?? ""
        return "?id=\(id)" + (epoch.map { "&epoch=\($0)" } ?? "")
    }
}
