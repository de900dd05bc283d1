extension Verdict {
    /// What a status means where the service has no words of its own: 408, 425, 429 and 5xx pass.
    static func ofStatus(_ status: Int, _ wait: Duration?, _ said: AnswerText) -> Verdict {
        switch status {
        case 408, 425, 429, 500...599: .again(after: wait)
        case 300...399: .refused("it answers \(status): redirects are not followed")
        default: .refused(said.sentence(status))
        }
    }
}
