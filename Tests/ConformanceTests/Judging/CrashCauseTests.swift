import Testing

@testable import Conformance

/// The output of real runtimes, shortened; the cause is never the last line.
@Suite struct CrashCauseTests {
    private static func cause(_ text: String) -> String? {
        CrashCause.text(in: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }

    @Test func `Swift`() {
        #expect(
            Self.cause(
                """
                adapter/Main.swift:12: Fatal error: Index out of range
                *** Signal 4: Backtracing from 0x7f... done ***
                Thread 0 "adapter" crashed:
                0 [ra] 0x00007f main at /src/Main.swift:12:5
                Backtrace took 0.14s
                """) == "adapter/Main.swift:12: Fatal error: Index out of range")
    }

    @Test func `Go`() {
        #expect(
            Self.cause(
                """
                panic: runtime error: index out of range [3] with length 3

                goroutine 1 [running]:
                main.main()
                \t/src/main.go:8 +0x1d
                exit status 2
                """) == "panic: runtime error: index out of range [3] with length 3")
        #expect(
            Self.cause("fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:")
                == "fatal error: all goroutines are asleep - deadlock!")
    }

    @Test func `Python, with the last error of a chain`() {
        #expect(
            Self.cause(
                """
                Traceback (most recent call last):
                  File "a.py", line 1, in <module>
                KeyError: 'a'

                During handling of the above exception, another exception occurred:

                Traceback (most recent call last):
                  File "a.py", line 3, in <module>
                    raise ValueError("no task")
                ValueError: no task
                sys:1: ResourceWarning: unclosed socket
                """) == "ValueError: no task")
    }

    @Test func `Java and Node`() {
        #expect(
            Self.cause(
                """
                Exception in thread "main" java.lang.IllegalStateException: closed
                \tat Adapter.main(Adapter.java:3)
                Caused by: java.io.IOException: reset
                \tat Adapter.read(Adapter.java:9)
                """) == "Exception in thread \"main\" java.lang.IllegalStateException: closed")
        #expect(
            Self.cause(
                """
                /src/adapter.js:3
                  task.resume()
                       ^

                TypeError: Cannot read properties of undefined (reading 'resume')
                    at Object.<anonymous> (/src/adapter.js:3:8)

                Node.js v20.11.0
                """) == "TypeError: Cannot read properties of undefined (reading 'resume')")
    }

    @Test func `C, C++ and Rust`() {
        #expect(
            Self.cause("adapter: main.c:3: main: Assertion `size > 0' failed.\nAborted (core dumped)")
                == "adapter: main.c:3: main: Assertion `size > 0' failed.")
        #expect(
            Self.cause("terminate called after throwing an instance of 'std::out_of_range'\n  what():  at\nAborted")
                == "terminate called after throwing an instance of 'std::out_of_range' what():  at")
        #expect(
            Self.cause("thread 'main' panicked at src/main.rs:2:5:\nno task\nnote: run with `RUST_BACKTRACE=1`")
                == "thread 'main' panicked at src/main.rs:2:5: no task")
    }

    @Test func `sanitizers`() {
        #expect(
            Self.cause(
                """
                ==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x60
                    #0 0x55 in main /src/a.c:4
                SUMMARY: AddressSanitizer: heap-use-after-free /src/a.c:4 in main
                ==12==ABORTING
                """) == "SUMMARY: AddressSanitizer: heap-use-after-free /src/a.c:4 in main")
    }

    @Test func `a trap of Swift without a message`() {
        let lines = [
            "FoundationNetworking/NativeProtocol.swift:326: Fatal error", "*** Signal 4: Backtracing ***",
            "*** Program crashed: Illegal instruction at 0x00007f2f136f9361 ***", "Backtrace took 0.11s",
        ]
        #expect(CrashCause.text(in: lines) == lines[0])
        #expect(CrashCause.text(in: Array(lines.dropFirst())) == lines[2])
        #expect(CrashCause.fatalLines(in: lines) == [0])
        #expect(CrashCause.fatalLines(in: ["starting", "cannot continue"]).isEmpty)
        #expect(CrashCause.fatalLines(in: Array(repeating: "frame", count: 5000) + lines) == [5000])
    }

    @Test func `without a known mark the last line that is not blank counts`() {
        #expect(Self.cause("starting\ncannot continue\n  \n") == "cannot continue")
        #expect(Self.cause("") == nil)
        #expect(CrashCause.index(in: ["a", "Fatal error: b", "c"]) == 1)
    }
}
