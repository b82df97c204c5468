// HttpClient fails before it connects if the target of a tunnel is an IPv6 address.
//
// RFC 9110 §9.3.6: the target of CONNECT is "the host and port number of the tunnel destination, separated by a colon". RFC 3986 §3.2.2: "A host
// identified by an Internet Protocol literal address, version 6 [RFC3513] or later, is distinguished by enclosing the IP literal within square
// brackets ("[" and "]")."
//
// Run: java TunnelToAnIPv6Address.java. Exit status 1 while the defect is there. Needs only Java.
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.*;

class TunnelToAnIPv6Address {
    public static void main(String[] arguments) throws Exception {
        // A proxy that refuses; the first line of the request is what counts.
        ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        Thread server = new Thread(() -> {
            try (Socket connection = listener.accept()) {
                lines.add(new BufferedReader(new InputStreamReader(connection.getInputStream())).readLine());
                connection.getOutputStream().write("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n".getBytes());
            } catch (IOException error) { }
        });
        server.setDaemon(true);
        server.start();
        HttpClient client = HttpClient.newBuilder()
            .proxy(ProxySelector.of(new InetSocketAddress("127.0.0.1", listener.getLocalPort()))).build();
        String error = "none";
        try {
            client.send(HttpRequest.newBuilder(URI.create("https://[2001:db8::10]/hello")).build(), BodyHandlers.ofString());
        } catch (Exception thrown) { error = thrown.toString(); }
        String line = lines.poll(2, TimeUnit.SECONDS);
        System.out.println("Java " + System.getProperty("java.version") + ": the proxy received " + line + ", error: " + error);
        System.exit("CONNECT [2001:db8::10]:443 HTTP/1.1".equals(line) ? 0 : 1);
    }
}
