import Bus
import Glibc

/// Whom an encrypted bus lets in, and what each of them may publish and hear.
///
/// Used by the broker's thread alone. It knows a connection by the user id that ``Authenticator`` gave it,
/// which is the client's public key; only what comes from inside the process has none.
final class BrokerGuard {
    /// What it has refused since it was made.
    struct Figures: Hashable {
        var strangers: UInt64 = 0
        var publications: UInt64 = 0
        var subscriptions: UInt64 = 0
        var questions: UInt64 = 0
        /// Messages in the name of a producer that their key is not.
        var names: UInt64 = 0
        /// Heartbeats that named topics which their key may not publish.
        var heartbeats: UInt64 = 0
    }

    /// What becomes of a message.
    enum Passage {
        case pass
        case drop
        /// This envelope is passed on in its place.
        case replace([UInt8])
    }

    private enum Caller {
        /// Of this very process.
        case inside
        /// Its key was taken out since it came.
        case unknown
        case client(Int)
    }

    private struct KnownKey {
        /// Ends in a zero, as user ids do.
        let text: [CChar]
        let client: Int
        /// The producer in whose name it spoke last and may speak: it is looked up once, not with each
        /// message.
        var speaker: [UInt8] = []
    }

    /// Different refusals that are told of; more are only counted.
    private static let tellingLimit = 1_000
    /// Nanoseconds.
    private static let checkInterval: Int64 = 1_000_000_000

    private let authenticator: Authenticator
    private let report: (GuardReport) -> Void
    private let trustsInside: Bool
    private var list: AllowList
    private var keys: [KnownKey] = []
    private var lastKey = 0
    private var told: Set<GuardReport> = []
    private var nextCheck: Int64 = 0
    private var failure: BusError?
    private var connections = GuardedConnections()
    /// The unknown key that the broker tries its own doors with: refused like any other, and no news.
    var ownStranger: CurveKey?

    /// What was refused.
    private(set) var figures = Figures()

    /// - Parameters:
    ///   - context: The one of the broker's sockets.
    ///   - folder: Whom it lets in.
    ///   - trustsInside: Whether the sockets also have addresses inside the process.
    ///   - report: Gets what people should know.
    /// - Throws: ``BusError``.
    init(
        context: BusContext, folder: String, trustsInside: Bool, report: @escaping (GuardReport) -> Void
    ) throws(BusError) {
        authenticator = try Authenticator(context: context)
        list = try AllowList(folder: folder)
        self.trustsInside = trustsInside
        self.report = report
        index()
    }

    /// Waits for handshakes too.
    func join(_ poll: inout BusPoll) { authenticator.join(&poll) }

    /// The ports that subscribers come to, once they are known.
    func watch(ports: [UInt16]) { connections.ports = ports }

    // MARK: - Who comes

    /// Answers who wants to come in, by the list as it is now.
    func answerHandshakes() throws(BusError) {
        var isFresh = false
        try authenticator.answer { request in
            if !isFresh { refresh() }
            isFresh = true
            let isKnown = list.clients.contains { $0.keys.contains(request.key) }
            if !isKnown, request.key != ownStranger {
                figures.strangers &+= 1
                tell(.strangerRefused(key: request.key.text, address: request.address))
            }
            return isKnown
        }
    }

    /// Looks once a second whether the files have changed, for those who are in already.
    func tick(now: Int64) {
        guard now >= nextCheck else { return }
        nextCheck = now + Self.checkInterval
        refresh()
    }

    private func refresh() {
        do {
            let isChanged = try list.refresh()
            failure = nil
            guard isChanged else { return }
        } catch {
            // A folder that cannot be read at all fails at each look.
            if failure != error { report(.listKept(error)) }
            failure = error
            return
        }
        index()
        connections.endUnless { key, rights in self.rights(ofKey: key)?.subscribe == rights }
        report(.listRead(clients: list.clients.count))
    }

    private func index() {
        lastKey = 0
        keys = list.clients.enumerated().flatMap { place, client in
            client.keys.map { KnownKey(text: Array($0.text.utf8CString), client: place) }
        }
    }

    private func rights(ofKey text: String) -> BusRights? {
        list.clients.first { $0.keys.contains { $0.text == text } }?.rights
    }

    private func caller(_ frame: borrowing BusFrame) -> Caller {
        guard let user = frame.userID else { return trustsInside ? .inside : .unknown }
        // Messages come in bursts of one client.
        if lastKey < keys.count, strcmp(user, keys[lastKey].text) == 0 {
            return .client(keys[lastKey].client)
        }
        guard let place = keys.firstIndex(where: { strcmp(user, $0.text) == 0 }) else { return .unknown }
        lastKey = place
        return .client(keys[place].client)
    }

    private func name(of caller: Caller) -> String {
        switch caller {
        case .inside: "this process"
        case .unknown: "a key that was taken out"
        case .client(let place): list.clients[place].name
        }
    }

    private func tell(_ what: GuardReport) {
        guard told.count < Self.tellingLimit, told.insert(what).inserted else { return }
        report(what)
    }

    // MARK: - What they do

    /// Whether a message is passed on: by its topic, by whose word it says that it is, and of a heartbeat by
    /// what it names.
    func judge(_ topic: borrowing BusFrame, _ body: borrowing BusFrame) -> Passage {
        let caller = caller(topic)
        switch caller {
        case .inside: return .pass
        case .client(let place) where list.clients[place].rights.mayPublish(topic.bytes):
            // What is no envelope is counted where it is read.
            guard let scan = EnvelopeScan(body.bytes) else { return .pass }
            guard maySpeak(scan.producer, place) else { return .drop }
            return HeartbeatTopic.isOne(topic.bytes) ? judge(heartbeat: body.bytes, scan, place) : .pass
        case .client, .unknown: break
        }
        figures.publications &+= 1
        let text = String(decoding: topic.bytes.prefix(255), as: UTF8.self)
        tell(.publicationRefused(client: name(of: caller), topic: text))
        return .drop
    }

    /// Whether the key that ``caller(_:)`` found speaks in this name.
    private func maySpeak(_ producer: UnsafeRawBufferPointer, _ place: Int) -> Bool {
        let isSame = keys[lastKey].speaker.withUnsafeBytes { known in
            known.count == producer.count && producer.elementsEqual(known)
        }
        if isSame { return true }
        let name = String(decoding: producer, as: UTF8.self)
        if list.clients[place].rights.maySpeak(as: name) {
            keys[lastKey].speaker = Array(producer)
            return true
        }
        figures.names &+= 1
        tell(.nameRefused(client: list.clients[place].name, producer: name))
        return false
    }

    private func judge(
        heartbeat envelope: UnsafeRawBufferPointer, _ scan: EnvelopeScan, _ place: Int
    ) -> Passage {
        // The last message of the topic names nothing.
        if scan.isTombstone { return .pass }
        switch NamedTopics.judge(envelope, scan, by: list.clients[place].rights) {
        case .allowed: return .pass
        case .struckOut(let envelope, let topic):
            figures.heartbeats &+= 1
            tell(.heartbeatCut(client: list.clients[place].name, topic: topic))
            return .replace(envelope)
        case .malformed:
            figures.heartbeats &+= 1
            return .drop
        }
    }

    /// Whether the state under this prefix is told to whom the question came from.
    func mayAsk(_ prefix: String, _ question: borrowing BusFrame) -> Bool {
        let caller = caller(question)
        switch caller {
        case .inside: return true
        case .client(let place) where list.clients[place].rights.mayHear(prefix): return true
        case .client, .unknown: break
        }
        figures.questions &+= 1
        tell(.questionRefused(client: name(of: caller), prefix: prefix))
        return false
    }

    /// Takes a subscription, or the end of one, unless its client may not have it.
    ///
    /// - Returns: Whether it was taken.
    func take(subscription frame: borrowing BusFrame, on socket: borrowing BusSocket) -> Bool {
        guard connections.note(frame) else { return false }
        let prefix = UnsafeRawBufferPointer(rebasing: frame.bytes.dropFirst())
        guard frame.bytes.first == 1 else {
            socket.drop(subscription: prefix)
            return true
        }
        let caller = caller(frame)
        guard mayHear(prefix, caller) else {
            figures.subscriptions &+= 1
            let text = String(decoding: prefix.prefix(255), as: UTF8.self)
            tell(.subscriptionRefused(client: name(of: caller), prefix: text))
            return false
        }
        if case .client(let place) = caller {
            connections.remember(frame, rights: list.clients[place].rights.subscribe)
        }
        socket.take(subscription: prefix)
        return true
    }

    /// All subscriptions that had arrived were read.
    func endSubscriptions() { connections.pairingIsRight() }

    /// Everybody may ask whether its subscriptions have arrived: the answer says nothing else.
    private func mayHear(_ prefix: UnsafeRawBufferPointer, _ caller: Caller) -> Bool {
        switch caller {
        case .inside: true
        case .unknown: false
        case .client(let place):
            list.clients[place].rights.mayHear(prefix)
                || SynchronizationToken.isToken(prefix) && prefix.count > "~sync.".utf8.count
        }
    }
}
