// A redirect to "?q=2" loses the path (java.net.URI resolves by RFC 2396).
//
// RFC 9110 §10.2.2: "When it has the form of a relative reference ([URI], Section 4.2), the final value is computed by resolving it against the target
// URI ([URI], Section 5)." RFC 3986 §5.4.1: with the base http://a/b/c/d;p?q the reference "?y" is "http://a/b/c/d;p?y".
//
// Run: java QueryOnlyLocation.java. Exit status 1 while the defect is there. Needs only Java.
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

class QueryOnlyLocation {
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
        String url = serve("HTTP/1.1 302 Found\r\nLocation: ?q=2\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        get(url + "/search?q=1");
        String line = requests.get(1).split("\n")[0];
        end(line.startsWith("GET /search?q=2 "), line);
    }
}
