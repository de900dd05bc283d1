extension VenueDescription {
    /// How a message writes what it says.
    ///
    /// Generations of a venue that all send objects differ by the first key of those: its first byte is what
    /// ``VenueDescription/wording`` is asked about then.
    package func wording(of message: UnsafeRawBufferPointer) -> VenueWording {
        guard message.count > 2, message[0] == 0x7B, message[1] == 0x22 else { return wording(message.first) }
        return wording(message[2])
    }
}
