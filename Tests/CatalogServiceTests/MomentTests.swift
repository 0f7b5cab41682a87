import Testing

@testable import CatalogService

@Suite struct MomentTests {
    @Test(arguments: [
        "2024-02-29T23:59:59Z", "2000-02-29t00:00:00z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z",
        "2026-03-01T08:00:00+23:59", "2026-03-01T08:00:00-00:00", "2016-12-31T23:59:60Z",
        "1990-12-31T15:59:60-08:00",
        "2015-06-30T23:59:60.5Z",
    ])
    func aDateTimeIsRead(_ text: String) { #expect(Moment(text.utf8) != nil) }

    @Test(arguments: [
        "", "2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-13-01T00:00:00Z",
        "2024-00-01T00:00:00Z", "2024-01-00T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z",
        "2024-01-01T00:00:61Z", "2024-01-01T00:00:60Z", "2016-12-30T23:59:60Z", "2024-01-01",
        "2024-01-01T00:00Z",
        "2024-01-01T00:00:00", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00+24:00",
        "2024-01-01T00:00:00+0100",
        "2024-01-01 00:00:00Z", "24-01-01T00:00:00Z", "2024-01-01T00:00:00Zx", "2024-1-01T00:00:00Z",
        "2024-01-01T00:00:00,5Z", "+024-01-01T00:00:00Z", "\u{FF12}024-01-01T00:00:00Z",
    ])
    func whatIsNoneIsRefused(_ text: String) { #expect(Moment(text.utf8) == nil) }

    @Test func keysSortByInstant() throws {
        let rising =
            [
                "0000-01-01T00:00:00+23:59", "0000-02-29T12:00:00Z", "1969-12-31T23:59:59Z",
                "1970-01-01T00:00:00Z",
                "2024-02-29T23:59:59.4Z", "2024-02-29T23:59:59.45Z", "2024-02-29T23:59:59.5Z",
                "2024-03-01T01:00:00+01:00",
                "2024-03-01T00:00:01Z", "9999-12-31T23:59:59-23:59",
            ].map { SortKeys(title: "", date: $0) } + [SortKeys(title: "", date: nil)]
        for (low, high) in zip(rising, rising.dropFirst()) {
            #expect(low.date.lexicographicallyPrecedes(high.date))
        }
    }

    @Test func oneInstantHasOneKey() {
        let same = ["2024-03-01T00:00:00Z", "2024-02-29T23:00:00-01:00", "2024-03-01T05:45:00.000+05:45"]
        #expect(Set(same.map { SortKeys(title: "", date: $0).date }).count == 1)
    }
}
