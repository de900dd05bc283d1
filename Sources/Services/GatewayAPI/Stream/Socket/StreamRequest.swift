import JSON
import Store

/// What a client of the stream asks for.
enum StreamRequest: Hashable, Sendable {
    case subscribe(id: String, channel: StreamChannel, key: String, after: StreamPlace?)
    case unsubscribe(id: String)
    case ping(id: String?)
    case authenticate(token: String)

    /// Reads a message.
    ///
    /// - Throws: ``Rejected``, with the subscription's name when the message has a fitting one.
    init(_ bytes: [UInt8]) throws(Rejected) {
        let json: JSONValue
        do throws(Problem) {
            json = try JSONInput.read(bytes)
        } catch {
            throw Rejected(problem: error)
        }
        guard case .object(let members) = json else {
            throw Rejected(problem: Problem(.badRequest, "a message is a JSON object"))
        }
        do throws(Problem) {
            self = try StreamRequest.read(members)
        } catch {
            throw Rejected(id: try? StreamRequest.id(members), problem: error)
        }
    }

    /// A message that is refused.
    struct Rejected: Error, Hashable, Sendable {
        /// The subscription's name, as far as one is known.
        var id: String?
        var problem: Problem
    }

    private static func read(_ members: JSONObject) throws(Problem) -> StreamRequest {
        let names: Set<String>
        let request: StreamRequest
        switch members["op"] {
        case .string("subscribe"):
            names = ["op", "id", "channel", "key", "after"]
            request = .subscribe(
                id: try id(members), channel: try channel(members),
                key: try text("key", members, orElse: "", limit: 200), after: try after(members))
        case .string("unsubscribe"):
            names = ["op", "id"]
            request = .unsubscribe(id: try id(members))
        case .string("ping"):
            names = ["op", "id"]
            request = .ping(id: members["id"] == nil ? nil : try id(members))
        case .string("authenticate"):
            names = ["op", "token"]
            request = .authenticate(token: try text("token", members, orElse: nil, limit: 200))
        case let other:
            throw .invalid("op", other?.shown, accepted: "subscribe, unsubscribe, ping, authenticate")
        }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) where !names.contains(name) {
            throw .invalid(
                name, value.shown,
                accepted: "no such field; known are \(names.sorted().joined(separator: ", "))")
        }
        return request
    }

    private static func id(_ members: JSONObject) throws(Problem) -> String {
        let id = try text("id", members, orElse: nil, limit: 64)
        guard !id.isEmpty else { throw .invalid("id", "", accepted: "1 to 64 bytes of text") }
        return id
    }

    private static func channel(_ members: JSONObject) throws(Problem) -> StreamChannel {
        guard case .string(let name)? = members["channel"], let channel = StreamChannel(rawValue: name) else {
            let accepted = StreamChannel.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("channel", members["channel"]?.shown, accepted: accepted)
        }
        return channel
    }

    private static func text(
        _ name: String, _ members: JSONObject, orElse missing: String?, limit: Int
    ) throws(Problem) -> String {
        if members[name] == nil, let missing { return missing }
        guard case .string(let text)? = members[name], text.utf8.count <= limit else {
            throw .invalid(name, members[name]?.shown, accepted: "text of at most \(limit) bytes")
        }
        return text
    }

    private static func after(_ members: JSONObject) throws(Problem) -> StreamPlace? {
        guard let value = members["after"], value != .null else { return nil }
        guard case .object(let place) = value, place.count == 2, case .number(let epoch)? = place["epoch"],
            case .number(let sequence)? = place["sequence"], let epoch = UInt64(epoch),
            let sequence = UInt64(sequence)
        else {
            throw .invalid("after", value.shown, accepted: "{\"epoch\": a number, \"sequence\": a number}")
        }
        return StreamPlace(epoch: epoch, sequence: sequence)
    }
}
