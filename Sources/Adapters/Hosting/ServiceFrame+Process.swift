import Bus
package import Operations
import Store

extension ServiceFrame {
    /// What the service of a process of its own is given: opens what it asks for, as the shared settings say
    /// where.
    ///
    /// - Parameters:
    ///   - process: What every process has.
    ///   - schemas: What the service works with in PostgreSQL; `nil` without a database.
    ///   - isOnBus: Whether it speaks or hears on the bus.
    /// - Returns: The frame; its ``services`` run before the service's own.
    /// - Throws: `ConfigurationError` with one line that says what to do; `BusError` when the process may
    ///   open no more files.
    package static func open(
        _ process: ServiceProcess, schemas: RequiredSchemas?, isOnBus: Bool = true
    ) async throws -> ServiceFrame {
        let addresses = isOnBus ? try busAddresses(process.settings) : nil
        let database = try await schemas?.open(in: process)
        var frame = ServiceFrame(of: process).with(database)
        if let database {
            let clock = DatabaseClock(database, logger: process.logger)
            // Before anybody reads it: what is written by the machine's own time stays written.
            await clock.look()
            frame = frame.timed(by: clock)
        }
        guard let addresses else { return frame }
        return frame.on(try BusContext(keys: busKeys(process.settings)), at: addresses)
    }

    private static func busKeys(_ settings: Settings) throws(ConfigurationError) -> BusKeys? {
        guard let path = settings[SharedSettings.busKeyFile] else { return nil }
        do throws(BusError) {
            return try BusKeys(file: path)
        } catch {
            throw .unavailable("\(error)", advice: "name this service's file of `bitpal keys list`")
        }
    }

    private static func busAddresses(_ settings: Settings) throws(ConfigurationError) -> BusAddresses {
        let base = settings[SharedSettings.bus]
        do throws(BusError) {
            return try BusAddresses(base: base)
        } catch {
            throw settings.refusal(
                SharedSettings.bus, value: base, accepted: "an address such as tcp://127.0.0.1:7411")
        }
    }
}
