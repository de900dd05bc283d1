package import Instruments

extension Problem {
    /// What there is too much of already: the request is right, and may be sent again once there is room.
    package init(_ fault: QuotaFault) {
        self.init(.conflict, fault.description)
        (field, value, accepted) = (fault.field, "\(fault.count)", fault.accepted)
    }
}
