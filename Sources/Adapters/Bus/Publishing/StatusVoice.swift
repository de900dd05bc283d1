package import Instruments
import Version
import Wire

/// Says on the bus how a service does, in the words of `service.status`.
package struct StatusVoice: Sendable {
    private let publisher: Publisher
    private let topic: PublisherTopic
    private let status: Bitpal_V1_ServiceStatus

    /// - Parameters:
    ///   - service: Which executable's work it is, such as `notifier`.
    ///   - instance: This process among others; 1...60 bytes.
    ///   - started: When it began.
    ///   - publisher: Says it.
    /// - Throws: ``BusError`` when the instance's name makes no topic: then nobody could see it.
    package init(
        of service: String, instance: String, started: Timestamp, _ publisher: Publisher
    ) throws(BusError) {
        self.publisher = publisher
        topic = try publisher.topic(Topic.serviceStatus(service: service, instance: instance))
        var status = Bitpal_V1_ServiceStatus()
        (status.service, status.instance, status.version) = (service, instance, ProductVersion.text)
        status.startedUnixNanos = started.nanoseconds
        self.status = status
    }

    /// Says it once.
    package func say(_ condition: ServiceStatus) {
        var status = status
        (status.isReady, status.detail) = (condition.isReady, condition.detail)
        (status.figures, status.page) = (condition.figures, condition.page)
        status.privateDatabase = condition.privateDatabase
        var batch = OutboundBatch()
        batch.append(.serviceStatus(status), to: topic)
        publisher.offer(&batch)
    }
}
