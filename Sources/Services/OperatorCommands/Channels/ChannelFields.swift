import ArgumentParser
import Channels
import Glibc
import JSON

/// Settings of a channel as they are typed, made into the JSON that the API takes.
struct ChannelFields {
    /// Fields that are lists, also with one value.
    private static let lists = ChannelUsage.lists(of: .standard)
    /// Bytes.
    private static let fileLimit = 16 << 10

    private var fields: [(key: String, values: [String])] = []

    /// Reads `KEY=VALUE`.
    ///
    /// - Throws: A usage error for anything else; ``CommandFailure`` for a file that cannot be read.
    init(_ texts: [String], option: String, readsFiles: Bool) throws {
        for text in texts {
            guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
                // What follows may be a secret: it is not repeated.
                throw ValidationError("\(option) takes KEY=VALUE")
            }
            let value = String(text[text.index(after: sign)...])
            let isFile = readsFiles && value.hasPrefix("@")
            add(String(text[..<sign]), isFile ? try ChannelFields.read(String(value.dropFirst())) : value)
        }
    }

    var isEmpty: Bool { fields.isEmpty }

    private mutating func add(_ key: String, _ value: String) {
        if let index = fields.firstIndex(where: { $0.key == key }) {
            fields[index].values.append(value)
        } else {
            fields.append((key, [value]))
        }
    }

    /// One object; a field is a text, or an array of texts.
    var json: JSONValue {
        let members = fields.map { field in
            let texts = field.values.map { JSONValue.string($0) }
            let isOne = texts.count == 1 && !ChannelFields.lists.contains(field.key)
            return (key: field.key, value: isOne ? texts.first ?? .null : .array(texts))
        }
        return .object(JSONObject(members))
    }

    private static func read(_ path: String) throws -> String {
        guard let file = fopen(path, "rbe") else {
            throw CommandFailure(.failed, "\(path): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: fileLimit)
        let text = String(decoding: bytes.prefix(fread(&bytes, 1, bytes.count, file)), as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    }
}
