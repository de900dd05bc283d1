import Instruments

extension Scale {
    /// Units at this scale without zeros at the end, down to as many places as another scale has.
    @inline(__always)
    func trimming(_ units: Int64, to least: Scale) -> (units: Int64, scale: Scale) {
        guard self > least else { return (units, self) }
        var (units, scale) = (units, self)
        while scale > least, units % 10 == 0, let coarser = Scale(scale.places - 1) {
            units /= 10
            scale = coarser
        }
        return (units, scale)
    }
}
