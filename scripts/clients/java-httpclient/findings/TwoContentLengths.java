// A response with two different Content-Length fields is accepted.
//
// RFC 9112 §6.3: "If a message is received without Transfer-Encoding and with an invalid Content-Length header field, then the message framing is invalid
// and the recipient MUST treat it as an unrecoverable error [...] If it is in a response message received by a user agent, the user agent MUST
// close the connection to the server and discard the received response." Different values are the base of response smuggling.
//
// Run: java TwoContentLengths.java. Exit status 1 while the defect is there. Needs only Java.
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

class TwoContentLengths {
    static final List<String> requests = Collections.synchronizedList(new ArrayList<>());

    /** Each request gets the next response. Returns the URL. */
    static String serve(String... responses) throws IOException {
        ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Iterator<String> left = List.of(responses).iterator();
        Thread thread = new Thread(() -> {
            while (left.hasNext()) {
                try (Socket socket = listener.accept()) {
                    BufferedReader input = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
                    for (String head = ""; left.hasNext(); head = "") {
                        for (String line; (line = input.readLine()) != null && !line.isEmpty();) head += line + "\n";
                        if (head.isEmpty()) break;
                        requests.add(head);
                        socket.getOutputStream().write(left.next().getBytes(StandardCharsets.ISO_8859_1));
                    }
                    Thread.sleep(500);
                } catch (IOException | InterruptedException error) { System.err.println(error); }
            }
        });
        thread.setDaemon(true);
        thread.start();
        return "http://127.0.0.1:" + listener.getLocalPort();
    }

    static HttpResponse<String> get(String url) throws Exception {
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).followRedirects(HttpClient.Redirect.NORMAL).build();
        return client.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    }

    static void end(boolean isRight, Object got) {
        System.out.println("Java " + System.getProperty("java.version") + ": " + got);
        System.exit(isRight ? 0 : 1);
    }

    public static void main(String[] arguments) throws Exception {
        String url = serve("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\nhello");
        Object got;
        try {
            got = "body " + get(url).body();
        } catch (IOException error) {
            got = error;
        }
        end(got instanceof IOException, got);
    }
}
