import GatewayFrame
import Instruments
import JSON
import Shapes

/// What a client of the stream asks for.
enum StreamRequest: Hashable, Sendable {
    case subscribe(id: String, channel: StreamChannel, key: String, after: StreamCursor?)
    case unsubscribe(id: String)
    case ping(id: String?)
    case authenticate(token: String)

    /// Reads a message.
    ///
    /// - Throws: ``Rejected``, with the subscription's name when the message has a fitting one.
    init(_ bytes: [UInt8]) throws(Rejected) {
        let json: JSONValue
        do throws(Problem) {
            json = try JSONInput.parse(bytes)
        } catch {
            throw Rejected(problem: error)
        }
        guard case .object(let members) = json else {
            throw Rejected(problem: Problem(.badRequest, "a message is a JSON object"))
        }
        do throws(Problem) {
            try JSONInput.check(json)
            self = try StreamRequest.read(members)
        } catch {
            throw Rejected(id: StreamRequest.id(members), problem: error)
        }
    }

    /// A message that is refused.
    struct Rejected: Error, Hashable, Sendable {
        /// The subscription's name, as far as one is known.
        var id: String?
        var problem: Problem
    }

    private static func read(_ members: JSONObject) throws(Problem) -> StreamRequest {
        guard case .string(let name)? = members["op"], let word = StreamWord(rawValue: name) else {
            let words = StreamWord.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("op", members["op"]?.shown, accepted: words)
        }
        do throws(InputFault) {
            let json = JSONValue.object(members)
            switch word {
            case .subscribe:
                let asked = try SubscribeMessage(json)
                return .subscribe(
                    id: asked.id, channel: asked.channel, key: asked.key ?? "", after: asked.after)
            case .unsubscribe: return .unsubscribe(id: try UnsubscribeMessage(json).id)
            case .ping: return .ping(id: try PingMessage(json).id)
            case .authenticate: return .authenticate(token: try AuthenticateMessage(json).token)
            }
        } catch {
            throw Problem(error)
        }
    }

    /// The subscription's name, where a message has one that may be.
    private static func id(_ members: JSONObject) -> String? {
        guard case .string(let id)? = members["id"], idLength.contains(id.utf8.count), !id.utf8.contains(0)
        else { return nil }
        return id
    }

    /// Bytes of a subscription's name.
    fileprivate static let idLength = 1...64
}

/// What a message asks for.
private enum StreamWord: String, CaseIterable { case subscribe, unsubscribe, ping, authenticate }

/// `{"op":"subscribe","id":"a1","channel":"ticker","key":"kraken:BTC/USD"}`.
private struct SubscribeMessage: WireInput {
    static let shape = InputShape("SubscribeMessage", Self.init(op:id:channel:key:after:)) {
        InputField("op", .choice(StreamWord.self))
        InputField("id", .subscription, "Names it in what is told of it.", example: "a1")
        InputField("channel", .choice(StreamChannel.self), example: "ticker")
        InputField(
            "key", .orMissing(.bytes(200)),
            "Which of the channel's things; of some there is one, without a key.",
            example: "kraken:BTC/USD")
        InputField("after", .optional(.place), "Where the client was, to go on after it.")
    }

    var op: StreamWord
    var id: String
    var channel: StreamChannel
    var key: String?
    var after: StreamCursor?
}

private struct UnsubscribeMessage: WireInput {
    static let shape = InputShape("UnsubscribeMessage", Self.init(op:id:)) {
        InputField("op", .choice(StreamWord.self))
        InputField("id", .subscription, example: "a1")
    }

    var op: StreamWord
    var id: String
}

private struct PingMessage: WireInput {
    static let shape = InputShape("PingMessage", Self.init(op:id:)) {
        InputField("op", .choice(StreamWord.self))
        InputField("id", .orMissing(.subscription), "Comes back in the answer.")
    }

    var op: StreamWord
    var id: String?
}

private struct AuthenticateMessage: WireInput {
    static let shape = InputShape("AuthenticateMessage", Self.init(op:token:)) {
        InputField("op", .choice(StreamWord.self))
        InputField("token", .bytes(200), "An API token.")
    }

    var op: StreamWord
    var token: String
}

extension InputKind<String> {
    /// A subscription's name.
    fileprivate static var subscription: InputKind {
        let length = StreamRequest.idLength
        return InputKind(
            .text(length: length), accepted: "\(length.lowerBound) to \(length.upperBound) bytes of text"
        ) { json in
            if case .string(let text) = json, length.contains(text.utf8.count) { text } else { nil }
        }
    }

    /// A text of at most so many bytes.
    fileprivate static func bytes(_ limit: Int) -> InputKind {
        InputKind(.text(length: 0...limit), accepted: "text of at most \(limit) bytes") { json in
            if case .string(let text) = json, text.utf8.count <= limit { text } else { nil }
        }
    }
}

extension InputKind<StreamCursor> {
    fileprivate static var place: InputKind {
        let number = Schema.integer(in: 0...Int64.max)
        let schema = Schema.object([FieldDocument("epoch", number), FieldDocument("sequence", number)])
        return InputKind(schema, accepted: "{\"epoch\": a number, \"sequence\": a number}") { json in
            guard case .object(let place) = json, place.count == 2, case .number(let epoch)? = place["epoch"],
                case .number(let sequence)? = place["sequence"], let epoch = UInt64(epoch),
                let sequence = UInt64(sequence)
            else { return nil }
            return StreamCursor(epoch: epoch, sequence: sequence)
        }
    }
}

extension InputKind {
    /// Another kind, and `nil` for a field that is missing, but not for null.
    fileprivate static func orMissing<Wrapped>(_ kind: InputKind<Wrapped>) -> InputKind
    where Value == Wrapped? {
        InputKind<Wrapped??>.clearable(kind).map(accepted: "a text in quotes") { (given) -> Wrapped?? in
            switch given {
            case nil: .some(nil)
            case .some(nil): nil
            case .some(let value): .some(value)
            }
        }.documented(kind.schema)
    }
}
