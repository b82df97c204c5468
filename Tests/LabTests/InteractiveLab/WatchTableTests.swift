import Testing

@testable import Lab

@Suite struct WatchTableTests {
    @Test func `a table shows each direction and connection in columns`() {
        #expect(
            WatchTable().lines(ControlMessageTests.view)
                == [
                    "lab 7, up 01:01, emulator engine: curl",
                    "",
                    "interface  state  condition            rate          delay    loss  queue        packets  lost  asked",
                    "wifi       up     custom     downlink  998.0 kbit/s  80.2 ms  7.7%  3 (4.4 KiB)  12       1     1.0Mbit/s",
                    "                             uplink    0 bit/s       –        –     –            0        –     perfect",
                    "",
                    "connection                           state        round trip  resent  waiting  sent   received",
                    "192.0.2.2:5000  → 203.0.113.65:443  established  160.4 ms    2       0 B      517 B  3.0 MiB",
                ].map {
                    $0.replacing(
                        "connection                           state",
                        with: "connection      " + "                    state")
                })
    }

    @Test func `a log line contains the direction's figures`() {
        #expect(
            WatchTable().log(ControlMessageTests.view).first
                == "01:01 wifi up custom downlink: 998.0 kbit/s, delay 80.2 ms, loss 7.7%, queue 3 (4.4 KiB), 12 packets, 1 connection"
        )
    }

    @Test func `the table shows the state of NAT64`() {
        var view = ControlMessageTests.view
        view.nat64 = true
        #expect(WatchTable().lines(view).first == "lab 7, up 01:01, emulator engine, NAT64 on: curl")
        view.nat64 = false
        #expect(WatchTable().lines(view).first == "lab 7, up 01:01, emulator engine, NAT64 off: curl")
    }

    @Test func `connections beyond the limit are counted`() {
        var view = ControlMessageTests.view
        view.connections = Array(repeating: view.connections[0], count: 5)
        #expect(WatchTable(connections: 3).lines(view).last == "and 2 more")
    }

    @Test func `units change at the usual limits`() {
        #expect(WatchTable.rate(999) == "999 bit/s")
        #expect(WatchTable.rate(1_500_000) == "1.5 Mbit/s")
        #expect(WatchTable.bytes(1023) == "1023 B")
        #expect(WatchTable.bytes(1 << 20) == "1.0 MiB")
        #expect(WatchTable.age(3_725_000_000_000) == "01:02:05")
    }
}
