import Foundation
import Support

/// A file with one key that seals secrets, as an operator has it before anything runs.
func makeKeyFile() throws -> String {
    let path = try TestDatabase.temporaryDirectory() + "/key"
    let key = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
        .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
    guard
        FileManager.default.createFile(
            atPath: path, contents: Data("1 \(key)\n".utf8), attributes: attributes)
    else { throw PropertyFailure("\(path) cannot be made") }
    return path
}
