extension String {
    /// As a message shows it: in quotes, and cut.
    var quoted: String { "\"\(prefix(60))\"" }
}
