/// Two machines and a cable between them: the near one stays, the far one can vanish without a word and come
/// back.
///
/// Both are namespaces, so that nobody else sees the cable.
package struct IsolatedNetwork: Sendable {
    /// Addresses of the far machine; nobody else is here to have them.
    package static let (address, otherAddress) = ("10.213.0.2", "10.213.0.3")

    /// The machine that stays.
    package let near: NetworkNamespace
    /// The machine that comes and goes.
    package let far: NetworkNamespace

    /// A network that is not there yet.
    ///
    /// - Parameter number: Tells those of one process apart.
    package init(_ number: Int) {
        near = NetworkNamespace("\(number)-near")
        far = NetworkNamespace("\(number)-far")
    }

    /// Makes the near machine, and what its cables are plugged into: that stays when the far end goes, as a
    /// switch does, so that the near machine is told nothing.
    package func prepare() throws {
        try near.make()
        try near.ip(["link", "add", "switch", "type", "bridge"])
        try near.ip(["addr", "add", "10.213.0.1/24", "dev", "switch"])
        try near.ip(["link", "set", "switch", "up"])
    }

    /// Makes the far machine and connects it.
    package func appear(at address: String = IsolatedNetwork.address) throws {
        try far.make()
        try near.ip(["link", "add", "port", "type", "veth", "peer", "name", "inner", "netns", far.name])
        // One machine has one address on the cable, too: nobody has to forget a former one.
        try far.ip(["link", "set", "inner", "address", "02:00:00:00:00:02"])
        try far.ip(["addr", "add", "\(address)/24", "dev", "inner"])
        try far.ip(["link", "set", "inner", "up"])
        try near.ip(["link", "set", "port", "master", "switch"])
        try near.ip(["link", "set", "port", "up"])
    }

    /// Cuts the cable and takes the far machine away: nothing that its programs or its kernel say at their
    /// end gets out.
    package func vanish() throws {
        try far.ip(["link", "set", "inner", "down"])
        far.remove()
        // The kernel clears up what a namespace had when it gets to it.
        _ = try? near.ip(["link", "del", "port"])
    }

    /// Parts the two machines: nothing gets through, and neither is told.
    package func part() throws { try near.ip(["link", "set", "port", "down"]) }

    /// Joins them again.
    package func join() throws { try near.ip(["link", "set", "port", "up"]) }

    /// Takes everything away, however much of it is there.
    package func remove() {
        far.remove()
        near.remove()
    }
}
