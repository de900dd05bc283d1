import Shapes

/// A body of the tests' own routes.
struct Note: WireInput {
    static let shape = InputShape("Note", Self.init(text:)) {
        InputField("text", .text, example: "a")
    }

    var text: String
    /// The same as an answer.
    var said: [String: String] { ["text": text] }
}
