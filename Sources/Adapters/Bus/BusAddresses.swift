/// The three places of a bus: where to publish to, where to subscribe, and where to ask for retained state.
public struct BusAddresses: Hashable, Sendable {
    /// Where publishers connect (the broker's XSUB socket).
    public var publish: String
    /// Where subscribers connect (the broker's XPUB socket).
    public var subscribe: String
    /// Where retained state is asked for (the broker's ROUTER socket).
    public var state: String

    public init(publish: String, subscribe: String, state: String) {
        self.publish = publish
        self.subscribe = subscribe
        self.state = state
    }

    /// `tcp://127.0.0.1:7411` and the next two ports.
    public static let loopback = BusAddresses(
        publish: "tcp://127.0.0.1:7411", subscribe: "tcp://127.0.0.1:7412", state: "tcp://127.0.0.1:7413")

    /// Free ports of this machine, for a broker that reports where it listens.
    public static let anyLoopbackPort = BusAddresses(
        publish: "tcp://127.0.0.1:*", subscribe: "tcp://127.0.0.1:*", state: "tcp://127.0.0.1:*")

    /// Addresses inside one process, for users of one ``BusContext``.
    public static func inproc(_ name: String) -> BusAddresses {
        BusAddresses(
            publish: "inproc://\(name).publish", subscribe: "inproc://\(name).subscribe",
            state: "inproc://\(name).state")
    }

    /// Reads one base address, as `BITPAL_BUS` has it.
    ///
    /// `tcp://HOST:PORT` and `HOST:PORT` mean that port and the next two; `ipc:///DIRECTORY/NAME` and
    /// `inproc://NAME` get `.publish`, `.subscribe` and `.state` appended.
    ///
    /// - Throws: ``BusError/addressInvalid(_:reason:)``.
    public init(base: String) throws(BusError) {
        if base.hasPrefix("inproc://") || base.hasPrefix("ipc://") {
            guard let name = base.split(separator: "/").last, !name.hasSuffix(":") else {
                throw .addressInvalid(base, reason: "it has no name")
            }
            self.init(publish: base + ".publish", subscribe: base + ".subscribe", state: base + ".state")
            return
        }
        let rest = base.hasPrefix("tcp://") ? base.dropFirst(6) : base[...]
        guard !rest.contains("/") else {
            throw .addressInvalid(base, reason: "only tcp, ipc and inproc are possible")
        }
        guard let colon = rest.lastIndex(of: ":"), colon != rest.startIndex else {
            throw .addressInvalid(base, reason: "it has no port")
        }
        guard let port = Int(rest[rest.index(after: colon)...]), (1...65_533).contains(port) else {
            throw .addressInvalid(base, reason: "the port must be in 1...65533")
        }
        guard Self.isHost(rest[..<colon]) else {
            throw .addressInvalid(base, reason: "the host must be a name, an address or [an address of IPv6]")
        }
        let host = "tcp://\(rest[..<colon])"
        self.init(publish: "\(host):\(port)", subscribe: "\(host):\(port + 1)", state: "\(host):\(port + 2)")
    }

    /// ZeroMQ reads what it is given: brackets anywhere else, and what it takes for a second address, are
    /// refused here, where it can be said what is wrong.
    private static func isHost(_ text: Substring) -> Bool {
        let isLiteral = text.hasPrefix("[") && text.hasSuffix("]")
        let name = isLiteral ? text.dropFirst().dropLast() : text
        guard (1...255).contains(name.utf8.count), !isLiteral || name.utf8.contains(UInt8(ascii: ":"))
        else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            case UInt8(ascii: "."): true
            case UInt8(ascii: ":"), UInt8(ascii: "%"): isLiteral
            default: !isLiteral && "-_*".utf8.contains(byte)
            }
        }
    }

    /// All three, in the order publish, subscribe, state.
    public var all: [String] { [publish, subscribe, state] }
}

extension BusAddresses {
    /// Makes sure that nobody on another machine, and no other user of this one, can reach what a broker
    /// binds.
    ///
    /// Without keys traffic is in the clear: `tcp://` must be on loopback. An `ipc://` socket must be in a
    /// directory that only its owner may enter.
    ///
    /// - Parameter hasKeys: Takes any `tcp://` address: whoever comes there proves itself, and is encrypted.
    /// - Throws: ``BusError/insecureAddress(_:)``; ``BusError/addressInvalid(_:reason:)`` for an open
    ///   directory; ``BusError/addressInUse(_:)`` when another process listens on an `ipc://` path, which
    ///   ZeroMQ would take over without a word.
    package func checkBindable(hasKeys: Bool = false) throws(BusError) {
        for address in all {
            if address.hasPrefix("tcp://") {
                guard hasKeys || Self.isLoopback(address.dropFirst(6)) else {
                    throw .insecureAddress(address)
                }
            } else if address.hasPrefix("ipc://") {
                try LocalSocket(path: String(address.dropFirst(6))).checkBindable(address)
            }
        }
    }

    private static func isLoopback(_ place: Substring) -> Bool {
        guard let colon = place.lastIndex(of: ":") else { return false }
        let host = place[..<colon]
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

extension BusAddresses {
    /// Whether only this process can reach them.
    package var isInside: Bool { all.allSatisfy { $0.hasPrefix("inproc://") } }

    /// The port that subscribers come to; `nil` unless it is one of TCP.
    package var subscribePort: UInt16? {
        guard subscribe.hasPrefix("tcp://"), let colon = subscribe.lastIndex(of: ":") else { return nil }
        return UInt16(subscribe[subscribe.index(after: colon)...])
    }
}
