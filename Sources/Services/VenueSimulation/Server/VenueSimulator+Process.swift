package import Operations
import Recordings

extension VenueSimulator {
    /// A simulator as a part of a process: what is wrong with a recording is what the operator has to repair.
    ///
    /// - Throws: `ConfigurationError/unavailable(_:advice:)` that names the file and the line.
    package init(configuration: VenueSimulatorConfiguration, process: ServiceProcess) throws {
        do {
            try self.init(
                configuration: configuration, eventLoopGroup: process.eventLoopGroup,
                health: process.health.component("venues"), logger: process.logger)
        } catch let error as RecordingError {
            throw ConfigurationError.unavailable("\(error)", advice: VenueSimulator.advice(process))
        } catch let error as SimulationError {
            throw ConfigurationError.unavailable("\(error)", advice: VenueSimulator.advice(process))
        }
    }

    private static func advice(_ process: ServiceProcess) -> String {
        "name another recording with \(process.settings.variable(for: VenueSimulatorConfiguration.recordingsSetting))"
    }
}
