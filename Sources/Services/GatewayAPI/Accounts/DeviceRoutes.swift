import AccountStore
import Accounts
import AlertStore
import Channels
import Hummingbird
import Instruments
import NIOCore
import Store

private struct DeviceBody: Decodable {
    var kind: String
    var name: String?
    /// Of a browser: where its push service takes messages, and the keys that they are sealed with.
    var endpoint: String?
    var p256dh: String?
    var auth: String?
    /// Of an app: its bundle, its token, and which of Apple's services.
    var bundle: String?
    var device: String?
    var environment: String?
}

private struct DeviceAnswer: Encodable {
    var id: String
    var kind: String
    var name: String
    var created: String
    var isEnabled: Bool

    init(_ channel: AlertStore.Channel) {
        id = channel.id.description
        kind = channel.kind == .apns ? "apns" : "web-push"
        name = channel.name
        created = channel.created.inAnswers
        isEnabled = channel.disabled == nil
    }

    private enum CodingKeys: String, CodingKey {
        case id, kind, name, created
        case isEnabled = "enabled"
    }
}

extension Gateway {
    /// Routes of devices: `/v1/account/devices…`.
    ///
    /// A device is a channel like any other, so that rules name it and the notifier tells it; these routes
    /// only take registrations as browsers and apps have them.
    func addDeviceRoutes(_ desk: AccountDesk, to routes: RouteTable) {
        routes.get("/v1/account/devices", .scope(.accountRead)) { _, context in
            let user = try context.who.user
            let channels = try await desk.database.transaction(as: user) { session in
                try session.channels(of: user)
            }
            let devices = channels.filter(\.kind.isDevice)
            return .json(WholeList(items: devices.map { DeviceAnswer($0) }))
        }
        routes.post("/v1/account/devices", .scope(.accountWrite), creates: true) { _, context in
            let (user, body) = (try context.who.user, try context.json(DeviceBody.self))
            return .json(try await desk.register(body, of: user), status: .created)
        }
        routes.delete("/v1/account/devices/{id}", .scope(.accountWrite)) { _, context in
            let (user, id, now) = (try context.who.user, try context.id(), desk.clock())
            try await desk.change(as: user) { session in
                guard let channel = try session.channel(id: id, of: user), channel.kind.isDevice
                else { throw Problem.notFound("device \(id)") }
                try session.removeChannel(channel.name, of: user, at: now)
            }
            return .noContent
        }
    }
}

extension AccountDesk {
    /// Devices of one user, at most.
    private static let deviceLimit = 20

    fileprivate func register(_ body: DeviceBody, of user: UserID) async throws -> DeviceAnswer {
        let now = clock()
        let made = try Self.channel(body, of: user, at: now)
        return try await change(as: user) { session in
            try session.lockUser(user)
            try session.lockChannels(of: user)
            let devices = try session.channels(of: user)
            // A browser registers again whenever it likes.
            if var known = devices.first(where: { $0.kind == made.kind && has($0, made.secrets) }) {
                // Its push service may have said that it was gone, or it may have moved; who registers it
                // wants to be told there.
                if known.disabled != nil || known.settings != made.settings {
                    (known.disabled, known.settings) = (nil, made.settings)
                    try session.put(known)
                }
                return DeviceAnswer(known)
            }
            guard devices.count(where: \.kind.isDevice) < Self.deviceLimit else {
                throw Problem(.conflict, "at most \(Self.deviceLimit) devices; remove one first")
            }
            var channel = made
            var number = 2
            while devices.contains(where: { $0.name == channel.name }) {
                channel.name = "\(made.name) \(number)"
                number += 1
            }
            try session.put(channel, by: vault)
            return DeviceAnswer(channel)
        }
    }

    /// Whether a stored device has these secrets; one that does not open is another one.
    private func has(_ device: AlertStore.Channel, _ secrets: ChannelSecrets) -> Bool {
        (try? device.opened(by: vault))?.secrets == secrets
    }

    private static func channel(_ body: DeviceBody, of user: UserID, at now: Timestamp) throws(Problem)
        -> AlertStore.Channel
    {
        try NameRule.check(body.name)
        let name = String((body.name ?? "").prefix(40))
        let wish: ChannelWish
        switch body.kind {
        case "web-push":
            wish = ChannelWish(
                kind: "web_push", name: name.isEmpty ? "Browser" : name,
                settings: json(["endpoint": body.endpoint, "p256dh": body.p256dh]),
                secrets: json(["auth": body.auth]))
        case "apns":
            wish = ChannelWish(
                kind: "apns", name: name.isEmpty ? "App" : name,
                settings: json(["bundle": body.bundle, "environment": body.environment]),
                secrets: json(["device": body.device]))
        default: throw .invalid("kind", body.kind, accepted: "apns, web-push")
        }
        var random = SystemRandomNumberGenerator()
        do throws(FieldFault) {
            return try wish.channel(of: user, at: now, using: &random)
        } catch {
            throw Problem(error)
        }
    }

    private static func json(_ members: [String: String?]) -> String {
        String(buffer: JSONOutput.bytes(of: members.compactMapValues { $0 }))
    }
}
