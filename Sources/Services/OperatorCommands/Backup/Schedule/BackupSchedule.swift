import Bus
import Hosting
import Operations
import ServiceLifecycle
import Store

/// The process of `bitpal backup --schedule`.
enum BackupSchedule {
    static let service = "backup"

    /// Runs until it is asked to stop, and ends the process.
    ///
    /// - Parameters:
    ///   - directory: Where backups are kept.
    ///   - database: Whose.
    static func run(in directory: String, of database: StoreConfiguration) async -> Never {
        await ServiceProcess.run(
            service, keys: BackupScheduleConfiguration.keys, arguments: [],
            overrides: ["directory": directory]
        ) { process in
            let frame = try await ServiceFrame.open(process, schemas: nil)
            let configuration = BackupScheduleConfiguration(settings: process.settings)
            return try frame.services + services(configuration, database, in: frame)
        }
    }

    /// Who backs up, and says so on the bus.
    static func services(
        _ configuration: BackupScheduleConfiguration, _ database: StoreConfiguration, in frame: ServiceFrame
    ) throws -> [any Service] {
        let keeper = BackupKeeper(
            configuration, .real(database, now: frame.clock), health: frame.health.component(service),
            logger: frame.logger)
        let publisher = try frame.publisher("\(service)-\(frame.instance)")
        let status = try ServiceStatusPublisher.services(
            of: service, instance: frame.instance, by: publisher, condition: { await keeper.condition() })
        return status + [keeper]
    }
}
