import BookBuilding
import Metadata
import Operations

/// The process that follows books; everything it does is in `BookBuilding`, and in `Metadata` what it keeps
/// of assets and of what moves most.
@main
enum BookBuilderMain {
    static func main() async {
        let keys = BookBuildingConfiguration.keys + MetadataConfiguration.keys
        await ServiceProcess.run("book-builder", keys: keys) { process in
            let metadata = try MetadataConfiguration(settings: process.settings)
            return try await BookBuilder.services(of: process) { frame in
                try MetadataKeeper.services(metadata, in: frame)
            }
        }
    }
}
