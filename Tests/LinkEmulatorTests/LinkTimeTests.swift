import LinkEmulator
import Testing

@Suite struct LinkTimeTests {
    @Test func `the distant future plus a delay is still the distant future`() {
        #expect(LinkTime.distantFuture + 5 == .distantFuture)
        #expect(LinkTime(nanoseconds: .min) - 5 == LinkTime(nanoseconds: .min))
        #expect(LinkTime(nanoseconds: .max) - LinkTime(nanoseconds: -1) == .max)
    }

    @Test func `times differ by nanoseconds`() {
        #expect(LinkTime(nanoseconds: 30) - LinkTime(nanoseconds: 12) == 18)
        #expect(LinkTime(nanoseconds: 30) - 12 == LinkTime(nanoseconds: 18))
        #expect(LinkTime(nanoseconds: 12) < LinkTime(nanoseconds: 13))
    }
}
