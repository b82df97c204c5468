import OpenSSLTLS
import Testing

/// The vectors of RFC 4231 (§4.2, §4.3 and, with a key longer than a block, §4.7).
struct MessageAuthenticationTests {
    /// RFC 2202 §2, with a key shorter and one longer than a block.
    @Test func `the code of RFC 2202 is computed for MD5`() {
        func code(_ key: [UInt8], _ text: String) -> String {
            Digests.hexadecimal(MessageAuthentication.hmacMD5(key: key, Array(text.utf8)))
        }
        #expect(code(Array("Jefe".utf8), "what do ya want for nothing?") == "750c783e6ab0b503eaa86e310a5db738")
        #expect(
            code(Array(repeating: 0xAA, count: 80), "Test Using Larger Than Block-Size Key - Hash Key First")
                == "6b1ab7fe4bd7bf8f0b62e6ce61b9d0cd")
    }

    @Test func `HMAC-SHA-256 matches the vectors of RFC 4231`() {
        func code(_ key: [UInt8], _ text: String) -> String {
            Digests.hexadecimal(MessageAuthentication.hmacSHA256(key: key, Array(text.utf8)))
        }
        #expect(
            code([UInt8](repeating: 0x0B, count: 20), "Hi There")
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        #expect(
            code(Array("Jefe".utf8), "what do ya want for nothing?")
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(
            code([UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First")
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }

    @Test func `codes are equal only if all bytes and the length match`() {
        #expect(MessageAuthentication.areEqual([1, 2, 3], [1, 2, 3]))
        #expect(MessageAuthentication.areEqual([], []))
        #expect(!MessageAuthentication.areEqual([1, 2, 3], [1, 2, 4]))
        #expect(!MessageAuthentication.areEqual([0, 2, 3], [1, 2, 3]))
        #expect(!MessageAuthentication.areEqual([1, 2, 3], [1, 2]))
    }
}
