import Testing

@testable import AdaptableSession

/// The first example is from RFC 9110 §11.6.1; the others are the difficult cases of the grammar.
struct ReceivedChallengeTests {
    @Test func `one field line may contain several challenges`() {
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

    @Test func `field lines are combined, and bare schemes and tokens are distinguished from parameters`() {
        let read = ReceivedChallenge.read(["Negotiate, NTLM", "NTLM TlRM/Q==, basic REALM = \"a, b\" , charset=UTF-8"])
        #expect(
            read == [
                ReceivedChallenge(scheme: "Negotiate"), ReceivedChallenge(scheme: "NTLM"),
                ReceivedChallenge(scheme: "NTLM", token: "TlRM/Q=="),
                ReceivedChallenge(scheme: "basic", parameters: ["realm": "a, b", "charset": "UTF-8"]),
            ])
    }

    @Test func `a token that looks like a parameter is a parameter only with a value`() {
        #expect(ReceivedChallenge.read(["X abc="]) == [ReceivedChallenge(scheme: "X", token: "abc=")])
        #expect(ReceivedChallenge.read(["X abc=="]) == [ReceivedChallenge(scheme: "X", token: "abc==")])
        #expect(ReceivedChallenge.read(["X a=b"]) == [ReceivedChallenge(scheme: "X", parameters: ["a": "b"])])
    }

    @Test func `the first of duplicate parameters counts`() {
        #expect(ReceivedChallenge.read(["Basic realm=a, realm=b"]).first?.realm == "a")
    }

    @Test(arguments: ["", ",,", "=", "realm=x", "\"Basic\" realm=x"])
    func `an invalid challenge is ignored`(line: String) {
        #expect(ReceivedChallenge.read([line]).isEmpty)
    }
}
