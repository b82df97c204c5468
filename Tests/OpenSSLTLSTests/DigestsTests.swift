import OpenSSLTLS
import Testing

/// The vectors of RFC 1321 §A.5 and of NIST's SHA-256 examples (FIPS 180-4): a wrong algorithm or byte order shows in any of them.
struct DigestsTests {
    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"),
        ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
    ])
    func `MD5 matches the vectors of RFC 1321`(text: String, expected: String) {
        #expect(Digests.hexadecimal(Digests.md5(Array(text.utf8))) == expected)
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `SHA-256 matches the vectors of FIPS 180`(text: String, expected: String) {
        #expect(Digests.hexadecimal(Digests.sha256(Array(text.utf8))) == expected)
    }
}
