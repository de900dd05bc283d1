import Bus
import CZeroMQ
import Foundation
import Support
import Testing
import Threads

@testable import BusBroker

/// The guard and one subscriber, without a broker: what has arrived is read when the test says so.
@Suite("Connections of a bus with keys", .timeLimit(.minutes(10)))
struct GuardedConnectionsTests {
    /// What ZeroMQ pairs wrongly is given to nobody: see ``GuardedConnections``.
    @Test("take nothing after a message that is no subscription, until its sender has come again")
    func pairing() async throws {
        let folder = try GuardedBus.keys([("reader", BusRights(publish: [], subscribe: ["trade."]))])
        let broker = try BusKeys(file: folder.keyFile(of: KeyFolder.broker))
        let reader = try BusKeys(file: folder.keyFile(of: "reader"))
        let taken = try await NamedThread.run(name: "pairing") { () throws(BusError) -> [Bool] in
            let context = try BusContext()
            let access = try BrokerGuard(
                context: context, folder: folder.allowedFolder, trustsInside: false, report: { _ in })
            let output = try BusSocket(.brokerOutput, context: context)
            output.guardConnections(with: broker.pair)
            output.judgeSubscriptions()
            try output.bind("tcp://127.0.0.1:*")
            let address = output.lastEndpoint
            access.watch(ports: [UInt16(address.split(separator: ":").last ?? "") ?? 0])
            let client = Client(reader, address)
            defer { client.close() }
            client.send([7, 7])
            client.send([1] + Array("trade.".utf8))
            let frame = BusFrame()
            // The message, the subscription behind it, and, from the connection after it was cut, again.
            var taken: [Bool] = []
            for place in 0..<3 {
                try receive(frame, from: output, access, client)
                taken.append(access.take(subscription: frame, on: output))
                if place == 1 { access.endSubscriptions() }
            }
            return taken
        }
        #expect(taken == [false, false, true])
    }

    private func receive(
        _ frame: borrowing BusFrame, from output: borrowing BusSocket, _ access: BrokerGuard, _ client: Client
    ) throws(BusError) {
        var poll = BusPoll(capacity: 2)
        poll.add(output)
        access.join(&poll)
        while true {
            try access.answerHandshakes()
            while case .received = output.receive(into: frame) {
                // The end of a connection also ends its subscriptions.
                if frame.bytes.first != 0 { return }
            }
            client.takeTurn()
            poll.wait(milliseconds: 100)
        }
    }
}

/// A subscriber that may send anything, which ours never do.
private struct Client {
    private let context: UnsafeMutableRawPointer?
    private let socket: UnsafeMutableRawPointer?

    init(_ keys: BusKeys, _ address: String) {
        context = zmq_ctx_new()
        socket = zmq_socket(context, ZMQ_XSUB)
        for (option, text) in [
            (ZMQ_CURVE_SERVERKEY, keys.serverKey.text), (ZMQ_CURVE_PUBLICKEY, keys.pair.publicKey.text),
            (ZMQ_CURVE_SECRETKEY, keys.pair.secretKey.text),
        ] {
            zmq_setsockopt(socket, option, text, text.utf8.count)
        }
        zmq_connect(socket, address)
    }

    /// Waits in ZeroMQ until there is a connection.
    func send(_ bytes: [UInt8]) { zmq_send(socket, bytes, bytes.count, 0) }

    /// Lets ZeroMQ see that it has connected again, and send its subscriptions anew: it does nothing of that
    /// while nobody asks it for something.
    func takeTurn() { _ = zmq_recv(socket, nil, 0, ZMQ_DONTWAIT) }

    func close() {
        zmq_close(socket)
        zmq_ctx_term(context)
    }
}
