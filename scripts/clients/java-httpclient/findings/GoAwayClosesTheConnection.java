// HttpClient closes an HTTP/2 connection when GOAWAY arrives, although the response to the stream that it names is not complete.
//
// RFC 9113 §6.8: "GOAWAY allows an endpoint to gracefully stop accepting new streams while still finishing processing of previously established
// streams." "Activity on streams numbered lower than or equal to the last stream identifier might still complete successfully."
//
// Run: java GoAwayClosesTheConnection.java. Exit status 1 while the defect is there. Needs only the JDK.
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.nio.file.*;
import java.security.KeyStore;
import javax.net.ssl.*;

class GoAwayClosesTheConnection {
    /** Returns a context with a new certificate for localhost, which it also trusts. */
    static SSLContext context() throws Exception {
        Path file = Files.createTempDirectory("goaway").resolve("keys");
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

    public static void main(String[] arguments) throws Exception {
        SSLContext context = context();
        ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> {
            while (true) {
                try (Socket plain = listener.accept()) {
                    SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(plain, null, plain.getPort(), false);
                    secure.setUseClientMode(false);
                    secure.setHandshakeApplicationProtocolSelector((socket, offered) -> "h2");
                    DataInputStream input = new DataInputStream(secure.getInputStream());
                    input.readNBytes(24); // the preface
                    OutputStream output = secure.getOutputStream();
                    output.write(frame(4, 0, 0)); // SETTINGS
                    for (int type = 0; type != 1;) { // until HEADERS, which hold the whole request
                        int length = input.readUnsignedByte() << 16 | input.readUnsignedShort();
                        type = input.readUnsignedByte();
                        input.readNBytes(5 + length);
                    }
                    output.write(frame(4, 1, 0)); // the acknowledgement of SETTINGS
                    output.write(frame(1, 4, 1, 0x88)); // HEADERS: status 200
                    output.write(frame(0, 0, 1, 'o', 'n', 'e'));
                    output.write(frame(7, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0)); // GOAWAY: the last stream is 1, NO_ERROR
                    Thread.sleep(1000);
                    output.write(frame(0, 1, 1, 't', 'w', 'o')); // the end of stream 1
                    Thread.sleep(1000);
                } catch (IOException | InterruptedException error) { System.err.println("server: " + error); }
            }
        });
        thread.setDaemon(true);
        thread.start();

        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).sslContext(context).build();
        String version = "Java " + System.getProperty("java.version") + ": ";
        try {
            HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(URI.create("https://localhost:" + listener.getLocalPort())).build(), HttpResponse.BodyHandlers.ofString());
            System.out.println(version + response.body());
            System.exit(response.body().equals("onetwo") ? 0 : 1);
        } catch (IOException error) {
            System.out.println(version + error);
            System.exit(1);
        }
    }
}
