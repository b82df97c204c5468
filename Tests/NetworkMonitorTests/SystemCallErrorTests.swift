import Glibc
import NetworkMonitor
import Testing

struct SystemCallErrorTests {
    @Test func `a message contains the call, the cause and the fix`() {
        let missing = SystemCallError(call: "open", errno: ENOENT, context: "/dev/net/tun")
        #expect(missing.description.contains("open on /dev/net/tun failed: No such file or directory"))
        #expect(missing.description.contains("modprobe tun"))
        #expect(SystemCallError(call: "socket", errno: EMFILE).description.contains("ulimit -n"))
        #expect(
            SystemCallError(call: "unshare(CLONE_NEWNET)", errno: ENOSPC).description.contains("max_net_namespaces"))
    }

    @Test func `a cause without a known fix suggests none`() {
        #expect(SystemCallError(call: "open", errno: ENOENT, context: "/etc/x").fix == nil)
    }
}
