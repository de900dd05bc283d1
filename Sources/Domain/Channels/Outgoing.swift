/// What is to leave this process so that somebody is told.
package enum Outgoing: Sendable, Hashable {
    /// An HTTP request.
    case request(OutgoingRequest)
    /// A letter.
    case mail(OutgoingMail)
    /// A program with its arguments, the first its path, and what it reads on its standard input.
    case command([String], input: [UInt8])
}

/// An HTTP request, ready to be sent.
package struct OutgoingRequest: Sendable, Hashable {
    /// `POST`, in capitals.
    package var method: String
    /// Absolute, with a scheme; it may hold a secret, so logs show ``OutgoingRequest/description`` instead.
    package var url: String
    /// In the order in which they are sent.
    package var headers: [Header]
    /// The bytes after the headers.
    package var body: [UInt8]
    /// Whether HTTP/2 is spoken where the receiver can, as push services want it.
    package var wantsHTTP2: Bool
    /// Whether a user chose the address, so that ``AddressRule`` decides what it may connect to.
    ///
    /// `false` for addresses that the operator or this code chose.
    package var isOwnDestination: Bool

    package init(
        method: String, url: String, headers: [Header], body: [UInt8], wantsHTTP2: Bool = false,
        isOwnDestination: Bool
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.wantsHTTP2 = wantsHTTP2
        self.isOwnDestination = isOwnDestination
    }
}

/// A line of an HTTP message's head.
package struct Header: Sendable, Hashable {
    /// As it is sent; compared without regard to case.
    package var name: String
    /// Without line breaks.
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// A letter, ready to be sent.
package struct OutgoingMail: Sendable, Hashable {
    /// The envelope's sender: an address without a name.
    package var from: String
    /// The envelope's receiver: an address without a name.
    package var to: String
    /// The message by RFC 5322, with lines that end in CRLF.
    package var message: [UInt8]

    package init(from: String, to: String, message: [UInt8]) {
        self.from = from
        self.to = to
        self.message = message
    }
}

/// What a receiver said.
package struct Answer: Sendable, Hashable {
    /// The HTTP status, SMTP's reply code, or a command's exit status; 0 for none.
    package var status: Int
    /// As they came.
    package var headers: [Header]
    /// The first 4 KiB.
    package var body: [UInt8]

    package init(status: Int, headers: [Header] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// What an answer means for a delivery.
package enum Verdict: Sendable, Hashable {
    /// The receiver has it.
    case delivered
    /// To be tried again, not before that duration if the receiver named one.
    case again(after: Duration?)
    /// Never to be tried again, and why.
    case refused(String)
    /// The destination is no more: nothing is to be sent there again, and why.
    case gone(String)
}
