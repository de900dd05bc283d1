import AccountStore
import Accounts
import AlertStore
import Channels
import GatewayFrame
import Instruments
import Shapes
import Store

private enum DeviceKind: String, CaseIterable {
    case apns
    case browser = "web-push"
}

private struct NewDevice: WireInput {
    static let shape = InputShape(
        "NewDevice",
        about: "A browser has endpoint, p256dh and auth; an app has bundle, device and environment.",
        Self.init(kind:name:endpoint:p256dh:auth:bundle:device:environment:)
    ) {
        InputField("kind", .choice(DeviceKind.self), example: "web-push")
        InputField(
            "name",
            .optional(InputKind.text.map(accepted: NameRule.accepted) { NameRule.isGood($0) ? $0 : nil }),
            "What it is called; of a long one the first 40 characters.", example: "Laptop")
        InputField(
            "endpoint", .optional(.text), "Where the browser's push service takes messages.",
            example: "https://push.example.org/a")
        InputField(
            "p256dh", .optional(.text), "The browser's public key, in Base64 for URLs.",
            example: "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
        )
        InputField(
            "auth", .optional(.text), "The browser's secret for messages, in Base64 for URLs.",
            example: "BTBZMqHH6r4Tts7J_aSIgg")
        InputField("bundle", .optional(.text), "The app's bundle id.")
        InputField("device", .optional(.text), "The app's token at Apple's push service.")
        InputField(
            "environment", .optional(InputKind.text.documented(.words(["production", "sandbox"]))),
            "Which of Apple's services has the app's token.")
    }

    var kind: DeviceKind
    var name: String?
    var endpoint: String?
    var p256dh: String?
    var auth: String?
    var bundle: String?
    var device: String?
    var environment: String?
}

private struct DeviceBody: WireBody {
    static let shape = BodyShape<DeviceBody>("Device", "A device that is told of alerts.") {
        Field(
            "created", \.channel.created.inAnswers, as: .time,
            example: .momentInAnswers)
        Field("enabled", { body in body.channel.disabled == nil }, "Whether it is told.", example: true)
        Field("id", \.channel.id)
        Field(
            "kind", \.kind.rawValue, as: .words(DeviceKind.allCases.map(\.rawValue)), example: "web-push")
        Field("name", \.channel.name, example: "Laptop")
    }

    var channel: AlertStore.Channel

    private var kind: DeviceKind { channel.kind == .apns ? .apns : .browser }
}

extension Gateway {
    private static let devices = "a device is told things, and opens nothing"

    /// Routes of devices: `/v1/account/devices…`.
    ///
    /// A device is a channel like any other, so that rules name it and the notifier tells it; these routes
    /// only take registrations as browsers and apps have them.
    func addDeviceRoutes(_ accountService: AccountService, to routes: RouteTable) {
        routes.get(
            "/v1/account/devices", .scope(.accountRead),
            Operation(
                "listDevices", .accounts, "Devices that are told of alerts; each is a channel as well.")
        ) { context in
            let user = try context.who.user
            let channels = try await accountService.database.transaction(as: user) { session in
                try session.channels(of: user)
            }
            return WholeList(items: channels.filter(\.kind.isDevice).map { DeviceBody(channel: $0) })
        }
        routes.post(
            "/v1/account/devices", .scope(.accountWrite),
            Operation(
                "registerDevice", .accounts,
                """
                Registers a browser (endpoint, p256dh, auth) or an app (bundle, device, environment); the \
                same one again gives the same device.
                """
            ).unaudited(Self.devices), creates: true
        ) { (device: NewDevice, context) in
            Created(try await accountService.register(device, of: try context.who.user))
        }
        routes.delete(
            "/v1/account/devices/{id}", .scope(.accountWrite),
            Operation("removeDevice", .accounts, "Forgets a device.").unaudited(Self.devices)
        ) { context in
            let (user, id, now) = (try context.who.user, try context.id(), accountService.clock())
            try await accountService.change(as: user) { session in
                guard let channel = try session.channel(id: id, of: user), channel.kind.isDevice
                else { throw Problem.notFound("device \(id)") }
                try session.removeChannel(channel.name, of: user, at: now)
            }
            return NoContent()
        }
    }
}

extension AccountService {
    /// Devices of one user, at most.
    private static let deviceLimit = 20

    fileprivate func register(_ device: NewDevice, of user: UserID) async throws -> DeviceBody {
        let now = clock()
        let made = try Self.channel(device, of: user, at: now)
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
                return DeviceBody(channel: known)
            }
            guard devices.count(where: \.kind.isDevice) < Self.deviceLimit else {
                throw Problem(.conflict, "at most \(Self.deviceLimit) devices; remove one first")
            }
            try Gateway.checkRoom(for: devices, atMost: channelsPerUser)
            var channel = made
            var number = 2
            while devices.contains(where: { $0.name == channel.name }) {
                channel.name = "\(made.name) \(number)"
                number += 1
            }
            try session.put(channel, by: vault)
            return DeviceBody(channel: channel)
        }
    }

    /// Whether a stored device has these secrets; one that does not open is another one.
    private func has(_ device: AlertStore.Channel, _ secrets: ChannelSecrets) -> Bool {
        (try? device.opened(by: vault))?.secrets == secrets
    }

    private static func channel(_ device: NewDevice, of user: UserID, at now: Timestamp) throws(Problem)
        -> AlertStore.Channel
    {
        let name = String((device.name ?? "").prefix(40))
        let wish: ChannelRequest
        switch device.kind {
        case .browser:
            wish = ChannelRequest(
                kind: ChannelKind.webPush.rawValue, name: name.isEmpty ? "Browser" : name,
                settings: json(["endpoint": device.endpoint, "p256dh": device.p256dh]),
                secrets: json(["auth": device.auth]))
        case .apns:
            wish = ChannelRequest(
                kind: ChannelKind.apns.rawValue, name: name.isEmpty ? "App" : name,
                settings: json(["bundle": device.bundle, "environment": device.environment]),
                secrets: json(["device": device.device]))
        }
        var random = SystemRandomNumberGenerator()
        do throws(FieldFault) {
            return try wish.channel(of: user, at: now, using: &random)
        } catch {
            throw Problem(error)
        }
    }

    private static func json(_ members: [String: String?]) -> String {
        String(decoding: members.compactMapValues { $0 }.json, as: UTF8.self)
    }
}
