import AdaptableSession
import Testing

/// RFC 9110 §11.6.1 has the first example; the others are the traps of the grammar.
struct ReceivedChallengeTests {
    @Test func `Several challenges stand in one line`() {
        let read = ReceivedChallenge.read([
            #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#
        ])
        #expect(
            read == [
                ReceivedChallenge(scheme: "Basic", parameters: ["realm": "simple"]),
                ReceivedChallenge(
                    scheme: "Newauth", parameters: ["realm": "apps", "type": "1", "title": #"Login to "apps""#]),
            ])
    }

    @Test func `Lines add up, bare schemes and tokens are told apart from parameters`() {
        let read = ReceivedChallenge.read(["Negotiate, NTLM", "NTLM TlRM/Q==, basic REALM = \"a, b\" , charset=UTF-8"])
        #expect(
            read == [
                ReceivedChallenge(scheme: "Negotiate"), ReceivedChallenge(scheme: "NTLM"),
                ReceivedChallenge(scheme: "NTLM", token: "TlRM/Q=="),
                ReceivedChallenge(scheme: "basic", parameters: ["realm": "a, b", "charset": "UTF-8"]),
            ])
    }

    @Test func `A token that looks like a parameter is one only with a value`() {
        #expect(ReceivedChallenge.read(["X abc="]) == [ReceivedChallenge(scheme: "X", token: "abc=")])
        #expect(ReceivedChallenge.read(["X abc=="]) == [ReceivedChallenge(scheme: "X", token: "abc==")])
        #expect(ReceivedChallenge.read(["X a=b"]) == [ReceivedChallenge(scheme: "X", parameters: ["a": "b"])])
    }

    @Test func `What is said twice counts as it was said first`() {
        #expect(ReceivedChallenge.read(["Basic realm=a, realm=b"]).first?.realm == "a")
    }

    @Test(arguments: ["", ",,", "=", "realm=x", "\"Basic\" realm=x"])
    func `What is no challenge is none`(line: String) {
        #expect(ReceivedChallenge.read([line]).isEmpty)
    }
}
