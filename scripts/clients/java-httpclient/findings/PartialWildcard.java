// HttpClient accepts a certificate for s*.example.test as one for shop.example.test.
//
// RFC 9525 §6.3: a presented identifier with a wildcard matches only if "The wildcard character appears only as the complete content of the left-most
// label". "If the requirements are not met, the presented identifier is invalid and MUST be ignored."
//
// Run: java PartialWildcard.java. Exit status 1 while the defect is there. Needs Java and the program openssl.
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.KeyStore;
import javax.net.ssl.*;

class PartialWildcard {
    /** Returns a context with a new certificate for s*.example.test, which it also trusts. */
    static SSLContext context() throws Exception {
        Path folder = Files.createTempDirectory("partial-wildcard"), file = folder.resolve("keys");
        String make = "openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out certificate -subj /CN=test -addext 'subjectAltName=DNS:s*.example.test'"
            + " 2> errors && openssl pkcs12 -export -inkey key -in certificate -name one -passout pass:secret -out keys";
        new ProcessBuilder("sh", "-c", make).directory(folder.toFile()).inheritIO().start().waitFor();
        KeyStore keys = KeyStore.getInstance(file.toFile(), "secret".toCharArray());
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, "secret".toCharArray());
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("one", keys.getCertificate("one"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    static void readHead(Socket socket) throws IOException {
        for (String head = ""; !head.endsWith("\r\n\r\n");) {
            int one = socket.getInputStream().read();
            if (one < 0) throw new EOFException();
            head += (char) one;
        }
    }

    public static void main(String[] arguments) throws Exception {
        SSLContext context = context();
        ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> {
            while (true) {
                try (Socket plain = listener.accept()) {
                    // A proxy whose tunnels end at a server of its own, so that the name needs no look-up.
                    readHead(plain);
                    plain.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
                    SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(plain, null, plain.getPort(), false);
                    secure.setUseClientMode(false);
                    readHead(secure);
                    secure.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.ISO_8859_1));
                    Thread.sleep(500);
                } catch (IOException | InterruptedException error) { System.err.println("server: " + error); }
            }
        });
        thread.setDaemon(true);
        thread.start();

        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(context)
            .proxy(ProxySelector.of(new InetSocketAddress("127.0.0.1", listener.getLocalPort()))).build();
        String version = "Java " + System.getProperty("java.version") + ": ";
        try {
            HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(URI.create("https://shop.example.test/")).build(), HttpResponse.BodyHandlers.ofString());
            System.out.println(version + "status " + response.statusCode());
            System.exit(1);
        } catch (IOException error) {
            System.out.println(version + error);
            System.exit(0);
        }
    }
}
