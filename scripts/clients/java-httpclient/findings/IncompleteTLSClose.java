// HttpClient takes a body that ends without close_notify for complete, although only the end of the connection delimits it.
//
// RFC 9112 §8: "A response that has neither chunked transfer coding nor Content-Length is terminated by closure of the connection and, if the header
// section was received intact, is considered complete unless an error was indicated by the underlying connection (e.g., an "incomplete close" in
// TLS would leave the response incomplete, as described in Section 9.8)."
//
// Run: java IncompleteTLSClose.java. Exit status 1 while the defect is there. Needs only the JDK.
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.KeyStore;
import javax.net.ssl.*;

class IncompleteTLSClose {
    /** Returns a context with a new certificate for localhost, which it also trusts. */
    static SSLContext context() throws Exception {
        Path file = Files.createTempDirectory("incomplete-tls-close").resolve("keys");
        new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-keyalg", "RSA", "-dname", "CN=localhost",
            "-ext", "san=dns:localhost", "-keystore", file.toString(), "-storepass", "secret", "-alias", "one").inheritIO().start().waitFor();
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

    public static void main(String[] arguments) throws Exception {
        SSLContext context = context();
        ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> {
            while (true) {
                try (Socket plain = listener.accept()) {
                    SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(plain, null, plain.getPort(), false);
                    secure.setUseClientMode(false);
                    BufferedReader input = new BufferedReader(new InputStreamReader(secure.getInputStream(), StandardCharsets.ISO_8859_1));
                    while (!input.readLine().isEmpty()) {}
                    secure.getOutputStream().write(("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + "x".repeat(1000)).getBytes(StandardCharsets.ISO_8859_1));
                    // FIN after the data, without the alert that secure.close() would send.
                    plain.shutdownOutput();
                    Thread.sleep(500);
                } catch (IOException | InterruptedException error) { System.err.println("server: " + error); }
            }
        });
        thread.setDaemon(true);
        thread.start();

        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(context).build();
        String version = "Java " + System.getProperty("java.version") + ": ";
        try {
            HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(URI.create("https://localhost:" + listener.getLocalPort())).build(), HttpResponse.BodyHandlers.ofString());
            System.out.println(version + response.body().length() + " bytes and no error");
            System.exit(1);
        } catch (IOException error) {
            System.out.println(version + error);
            System.exit(0);
        }
    }
}
