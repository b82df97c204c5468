// HttpClient keeps Content-Type and Content-Language when a redirect turns a POST into a GET, and sends a Content-Length of 0.
//
// RFC 9110 §15.4: the user agent SHOULD resend the original request with modifications, of which the fifth is: "If the request method has been
// changed to GET or HEAD, remove content-specific header fields, including (but not limited to) Content-Encoding, Content-Language,
// Content-Location, Content-Type, Content-Length, Digest, Last-Modified."
//
// Run: java ContentFieldsAfter303.java. Exit status 1 while the defect is there. Needs only Java.
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

class ContentFieldsAfter303 {
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
                        // The body is a line and an empty one.
                        if (head.startsWith("POST")) { input.readLine(); input.readLine(); }
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

    public static void main(String[] arguments) throws Exception {
        String url = serve("HTTP/1.1 303 See Other\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).followRedirects(HttpClient.Redirect.NORMAL).build();
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/a")).header("Content-Type", "text/plain").header("Content-Language", "de")
            .POST(HttpRequest.BodyPublishers.ofString("hallo\n\n")).build();
        client.send(request, HttpResponse.BodyHandlers.ofString());
        String second = requests.get(requests.size() - 1);
        System.out.println("Java " + System.getProperty("java.version") + ", the request after the 303:\n" + second);
        System.exit(second.startsWith("GET /b ") && !second.toLowerCase().contains("content-") ? 0 : 1);
    }
}
