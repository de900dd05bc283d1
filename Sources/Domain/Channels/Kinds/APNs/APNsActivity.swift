import Alerting
import Instruments
import JSON

/// The payload of a push to a Live Activity: its start, an update, or its end with the last firing of a rule.
///
/// `content-state` has the keys of the app's `ContentState`, `attributes` those of its `AlertAttributes`.
/// Source: developer.apple.com, "Starting and updating Live Activities with ActivityKit push notifications".
struct APNsActivity {
    /// What happens to the activity.
    enum Event: String {
        case start, update, end
    }

    /// Seconds after which the system shows that an activity is old.
    static let staleAfter: Int64 = 15 * 60
    /// Seconds for which one that has ended is still shown.
    static let shownAfterEnd: Int64 = 3_600
    /// The app's type that ``Event/start`` makes.
    static let attributesType = "AlertAttributes"

    let event: Event
    private let notice: Notice

    /// A rule that does not fire again ends its activity.
    init(_ form: APNsSettings.Form, _ notice: Notice) {
        event = form == .liveActivityStart ? .start : notice.isLast ? .end : .update
        self.notice = notice
    }

    /// At most ``APNsMessage/limit`` bytes: the text is cut, and is there twice.
    func payload(_ text: NoticeText, at now: Timestamp) -> [UInt8] {
        let empty = payload(text.title, "", at: now).count
        return payload(text.title, TextCut.json(text.body, (APNsMessage.limit - empty) / 2), at: now)
    }

    private func payload(_ title: String, _ body: String, at now: Timestamp) -> [UInt8] {
        let seconds = now.nanoseconds / 1_000_000_000
        var aps: JSONObject = [
            "timestamp": .integer(seconds), "event": .string(event.rawValue),
            "content-state": state(body),
            "alert": .object(["title": .string(TextCut.json(title, 256)), "body": .string(body)]),
        ]
        switch event {
        case .start:
            aps["attributes-type"] = .string(Self.attributesType)
            aps["attributes"] = attributes
        case .update: break
        case .end: aps["dismissal-date"] = .integer(seconds + Self.shownAfterEnd)
        }
        if event != .end { aps["stale-date"] = .integer(seconds + Self.staleAfter) }
        return JSONValue.object(["aps": .object(aps)]).bytes
    }

    private func state(_ body: String) -> JSONValue {
        .object([
            "instrument": instrument, "price": .optional(notice.price?.description),
            "previous": .optional(notice.previous?.description),
            "level": .optional(notice.level?.description), "currency": .optional(notice.currency),
            "kind": .string(notice.kind.rawValue), "time": .string(notice.venueTime.iso8601),
            "text": .string(body), "url": .string(notice.appLink),
        ])
    }

    private var attributes: JSONValue {
        .object(["rule": .optional(notice.rule?.description), "instrument": instrument])
    }

    private var instrument: JSONValue {
        .optional(notice.instrument.map { TextCut.json($0.description, 256) })
    }
}
