import BookBuilding
import Operations

/// The process that follows books; everything it does is in `BookBuilding`.
@main
enum BookBuilderMain {
    static func main() async {
        await ServiceProcess.run("book-builder", keys: BookBuildingConfiguration.keys) { process in
            try await BookBuilder.services(of: process)
        }
    }
}
