import Bus
import Logging

/// What the guard of an encrypted bus tells people.
enum GuardReport: Hashable, Sendable {
    case strangerRefused(key: String, address: String)
    /// Published outside of what the client may; dropped.
    case publicationRefused(client: String, topic: String)
    /// In the name of a producer that the client is not; dropped.
    case nameRefused(client: String, producer: String)
    /// A heartbeat named what the client may not publish; passed on without that.
    case heartbeatCut(client: String, topic: String)
    /// Outside of what the client may hear; not taken.
    case subscriptionRefused(client: String, prefix: String)
    /// Outside of what the client may hear; not told.
    case questionRefused(client: String, prefix: String)
    /// The files changed and were read.
    case listRead(clients: Int)
    /// The files changed and make no sense; what was read before holds.
    case listKept(BusError)

    func log(to logger: Logger) {
        switch self {
        case .strangerRefused(let key, let address):
            logger.warning("Refused an unknown key", metadata: ["key": "\(key)", "address": "\(address)"])
        case .publicationRefused(let client, let topic):
            logger.warning(
                "Dropped what a client may not publish",
                metadata: ["client": "\(client)", "topic": "\(topic)"])
        case .nameRefused(let client, let producer):
            logger.warning(
                "Dropped what a client said in another's name",
                metadata: ["client": "\(client)", "producer": "\(producer)"])
        case .heartbeatCut(let client, let topic):
            logger.warning(
                "Struck out of a heartbeat what its client may not publish",
                metadata: ["client": "\(client)", "topic": "\(topic)"])
        case .subscriptionRefused(let client, let prefix):
            logger.warning(
                "Took no subscription that a client may not have",
                metadata: ["client": "\(client)", "prefix": "\(prefix)"])
        case .questionRefused(let client, let prefix):
            logger.warning(
                "Told no state that a client may not hear",
                metadata: ["client": "\(client)", "prefix": "\(prefix)"])
        case .listRead(let clients):
            logger.notice("Read the allowed keys again", metadata: ["clients": "\(clients)"])
        case .listKept(let error):
            logger.error("The allowed keys stay as they were", metadata: ["error": "\(error)"])
        }
    }
}
