/// A place in a JSON text.
public struct JSONPlace: Hashable, Sendable {
    /// Bytes from the start of what is read.
    public var offset: Int
    /// From 1.
    public var line: Int
    /// In bytes of UTF-8, from 1.
    public var column: Int
}

/// Where a text stops being the JSON that is wanted.
public struct JSONFault: Error, Hashable, Sendable {
    public var place: JSONPlace
    /// What is wrong there, as the end of a sentence.
    public var reason: String
    /// It may be JSON, but it is nested deeper than the reader takes.
    public var isTooDeep: Bool
}
