import CZeroMQ

/// What makes a socket take or show keys; before it binds or connects.
extension BusSocket {
    /// All of our sockets ask the same authenticator under the same name.
    package static let authenticationDomain = "bitpal"
    /// Where ZeroMQ looks for it.
    ///
    /// Source: rfc.zeromq.org, 27/ZAP.
    package static let authenticatorAddress = "inproc://zeromq.zap.01"

    /// Without it, who knows the broker's public key comes in while nobody answers at the authenticator's
    /// address.
    ///
    /// Source: libzmq 4.3.4, zmq_draft.h, `ZMQ_ZAP_ENFORCE_DOMAIN`: the library has the option, its header
    /// only with drafts.
    private static let enforceDomain: Int32 = 93

    /// Lets nobody in whom the authenticator does not know.
    package func guardConnections(with pair: CurveKeyPair) {
        set(ZMQ_CURVE_SERVER, 1)
        setText(ZMQ_CURVE_SECRETKEY, pair.secretKey.text)
        setText(ZMQ_ZAP_DOMAIN, Self.authenticationDomain)
        set(Self.enforceDomain, 1)
    }

    /// Shows a client's keys.
    func show(_ keys: BusKeys) {
        setText(ZMQ_CURVE_SERVERKEY, keys.serverKey.text)
        setText(ZMQ_CURVE_PUBLICKEY, keys.pair.publicKey.text)
        setText(ZMQ_CURVE_SECRETKEY, keys.pair.secretKey.text)
    }

    /// Leaves it to ``take(subscription:)`` what is sent to whom.
    package func judgeSubscriptions() { set(ZMQ_XPUB_MANUAL, 1) }

    /// Takes the subscription that was received last, for whom it came from.
    package func take(subscription prefix: UnsafeRawBufferPointer) { setBytes(ZMQ_SUBSCRIBE, prefix) }

    /// Ends the subscription of whom the last message came from.
    package func drop(subscription prefix: UnsafeRawBufferPointer) { setBytes(ZMQ_UNSUBSCRIBE, prefix) }

    private func setText(_ option: Int32, _ text: String) {
        var text = text
        let code = text.withUTF8 { zmq_setsockopt(raw, option, $0.baseAddress, $0.count) }
        precondition(code == 0, "this ZeroMQ does not know option \(option)")
    }

    private func setBytes(_ option: Int32, _ bytes: UnsafeRawBufferPointer) {
        _ = zmq_setsockopt(raw, option, bytes.baseAddress, bytes.count)
    }
}
