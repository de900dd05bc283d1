import Testing

@testable import Version

@Suite("The version")
struct VersionTests {
    @Test("says release, commit and day; that nobody knows the commit where it was built without git")
    func says() {
        #expect(
            ProductVersion.text(commit: "be77a80, 2026-11-26")
                == "\(ProductVersion.number) (be77a80, 2026-11-26)")
        #expect(ProductVersion.text(commit: "") == "\(ProductVersion.number) (unknown commit)")
    }

    @Test("is three numbers")
    func isThreeNumbers() {
        #expect(ProductVersion.number.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
    }
}
