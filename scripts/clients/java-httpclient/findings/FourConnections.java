// HttpClient opens a connection for each of four requests that start at once, although the server speaks HTTP/2.
//
// RFC 9113 §9.1: "Clients SHOULD NOT open more than one HTTP/2 connection to a given host and port pair, where the host is derived from a URI, a
// selected alternative service [ALT-SVC], or a configured proxy."
//
// Run: java FourConnections.java. Exit status 1 while the defect is there. Needs only the JDK.
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.nio.file.*;
import java.security.KeyStore;
import java.util.*;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.*;

class FourConnections {
    /** Returns a context with a new certificate for localhost, which it also trusts. */
    static SSLContext context() throws Exception {
        Path file = Files.createTempDirectory("four-connections").resolve("keys");
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

    static byte[] frame(int type, int flags, int stream, int... content) {
        byte[] bytes = new byte[9 + content.length];
        bytes[2] = (byte) content.length;
        bytes[3] = (byte) type;
        bytes[4] = (byte) flags;
        bytes[8] = (byte) stream;
        for (int i = 0; i < content.length; i++) bytes[9 + i] = (byte) content[i];
        return bytes;
    }

    static void serve(SSLContext context, Socket plain) throws IOException {
        SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(plain, null, plain.getPort(), false);
        secure.setUseClientMode(false);
        secure.setHandshakeApplicationProtocolSelector((socket, offered) -> "h2");
        DataInputStream input = new DataInputStream(secure.getInputStream());
        input.readNBytes(24); // the preface
        OutputStream output = secure.getOutputStream();
        output.write(frame(4, 0, 0)); // SETTINGS
        output.write(frame(4, 1, 0)); // the acknowledgement of SETTINGS
        while (true) {
            int length;
            try { length = input.readUnsignedByte() << 16 | input.readUnsignedShort(); } catch (EOFException error) { return; }
            int type = input.readUnsignedByte();
            input.readUnsignedByte();
            int stream = input.readInt();
            input.readNBytes(length);
            if (type != 1) continue; // HEADERS, which hold the whole request
            output.write(frame(1, 4, stream, 0x88)); // HEADERS: status 200
            output.write(frame(0, 1, stream, 'o', 'k'));
        }
    }

    public static void main(String[] arguments) throws Exception {
        SSLContext context = context();
        ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        AtomicInteger connections = new AtomicInteger();
        Thread thread = new Thread(() -> {
            while (true) {
                try {
                    Socket plain = listener.accept();
                    connections.incrementAndGet();
                    Thread server = new Thread(() -> {
                        try { serve(context, plain); } catch (IOException error) { System.err.println("server: " + error); }
                    });
                    server.setDaemon(true);
                    server.start();
                } catch (IOException error) { System.err.println("server: " + error); }
            }
        });
        thread.setDaemon(true);
        thread.start();

        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).sslContext(context).build();
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + listener.getLocalPort())).build();
        List<CompletableFuture<HttpResponse<String>>> requests = new ArrayList<>();
        for (int i = 0; i < 4; i++) requests.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
        for (CompletableFuture<HttpResponse<String>> one : requests) System.out.println(one.get().version() + " " + one.get().body());
        System.out.println("Java " + System.getProperty("java.version") + ": " + connections + " connections");
        System.exit(connections.get() > 1 ? 1 : 0);
    }
}
