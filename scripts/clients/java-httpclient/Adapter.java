// Crosswind adapter for java.net.http.HttpClient: one client for each session, the body read as a stream.
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.nio.channels.UnresolvedAddressException;
import java.security.KeyStore;
import java.security.cert.*;
import java.util.*;
import java.util.concurrent.*;
import javax.net.ssl.*;

final class Adapter implements CrosswindKit.Client<Adapter.Session> {
    /** The request headers that a program may not set; see jdk.httpclient.allowRestrictedHeaders. */
    static final Set<String> RESTRICTED = Set.of("connection", "content-length", "expect", "host", "upgrade");

    /** A session: the client that follows redirects, the one that does not, and the tasks that have credentials. */
    static final class Session extends Authenticator {
        HttpClient following, staying;
        final Map<CrosswindKit.Task, Integer> asked = new LinkedHashMap<>();

        @Override protected synchronized PasswordAuthentication getPasswordAuthentication() {
            for (Map.Entry<CrosswindKit.Task, Integer> entry : asked.entrySet()) {
                List<Map<String, Object>> decisions = CrosswindKit.cast(entry.getKey().description.get("challenges"));
                int number = entry.setValue(entry.getValue() + 1);
                entry.getKey().report("didReceiveChallenge", CrosswindKit.fields("level", "task", "method", "http" + capital(getRequestingScheme()),
                    "realm", getRequestingPrompt(), "host", getRequestingHost(), "previousFailureCount", number,
                    "isProxy", getRequestorType() == RequestorType.PROXY), null);
                Map<String, Object> decision = decisions.get(Math.min(number, decisions.size() - 1));
                if (!decision.get("decision").equals("credential")) return null;
                return new PasswordAuthentication((String) decision.get("user"), ((String) decision.get("password")).toCharArray());
            }
            return null;
        }

        private static String capital(String scheme) { return scheme.substring(0, 1).toUpperCase() + scheme.substring(1).toLowerCase(); }
    }

    public String name() { return "java.net.http.HttpClient"; }
    public String version() { return System.getProperty("java.version"); }
    public String capabilities() {
        return "data upload download delegate completionHandler tls basicChallenge cancel http2 followRedirects redirectDecision "
            + "responseDisposition downloadProgress cookies sessionProxy connectionReuse idempotentRetry incrementalData";
    }
    public String reports() {
        return "didReceiveChallenge didReceiveResponse didReceiveData didWriteData fileContent didFinishDownloading didComplete completionHandler";
    }

    public Session makeSession(Map<String, Object> configuration) throws Exception {
        Session session = new Session();
        HttpClient.Builder builder = HttpClient.newBuilder().cookieHandler(new CookieManager()).authenticator(session).sslContext(trust());
        Map<String, Object> proxy = CrosswindKit.cast(configuration.get("proxy"));
        if (proxy != null) {
            if (proxy.containsKey("user") || !proxy.get("kind").equals("http")) throw new CrosswindKit.Unsupported("this proxy");
            builder.proxy(ProxySelector.of(new InetSocketAddress((String) proxy.get("host"), ((Long) proxy.get("port")).intValue())));
        }
        session.following = builder.followRedirects(HttpClient.Redirect.NORMAL).build();
        session.staying = builder.followRedirects(HttpClient.Redirect.NEVER).build();
        return session;
    }

    /** Trusts the authorities in SSL_CERT_FILE, which the JVM does not read. */
    private static SSLContext trust() throws Exception {
        String file = System.getenv("SSL_CERT_FILE");
        if (file == null) return SSLContext.getDefault();
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream input = new FileInputStream(file)) {
            for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(input)) store.setCertificateEntry("ca" + store.size(), one);
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    public void makeTask(Session session, CrosswindKit.Task task) {
        if ("to".equals(task.description.get("redirect"))) throw new CrosswindKit.Unsupported("another target for a redirect");
        for (List<String> header : task.headers()) {
            if (RESTRICTED.contains(header.get(0).toLowerCase())) throw new CrosswindKit.Unsupported("the request header " + header.get(0));
        }
        List<Map<String, Object>> decisions = CrosswindKit.cast(task.description.get("challenges"));
        if (decisions == null) return;
        if (decisions.stream().anyMatch(one -> one.get("decision").equals("cancel"))) throw new CrosswindKit.Unsupported("the decision cancel");
        synchronized (session) { session.asked.put(task, 0); }
    }

    public void load(Session session, CrosswindKit.Task task) throws Exception {
        byte[] body = task.body();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(task.url)).method(task.method,
            body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofByteArray(body));
        for (List<String> header : task.headers()) request.header(header.get(0), header.get(1));
        HttpClient client = "refuse".equals(task.description.get("redirect")) ? session.staying : session.following;
        CompletableFuture<HttpResponse<InputStream>> future = client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        task.context = future;
        if (task.isCancelled) cancel(task);
        try {
            HttpResponse<InputStream> response = future.get();
            List<List<String>> headers = new ArrayList<>();
            response.headers().map().forEach((name, values) -> values.forEach(value -> headers.add(List.of(name, value))));
            try (InputStream input = response.body()) {
                if (!task.response(response.statusCode(), response.uri().toString(), headers,
                    response.headers().firstValueAsLong("content-length").orElse(-1))) return;
                byte[] buffer = new byte[CrosswindKit.PIECE];
                for (int count; (count = input.read(buffer)) >= 0;) task.data(Arrays.copyOf(buffer, count));
            }
        } finally {
            synchronized (session) { session.asked.remove(task); }
        }
    }

    public void cancel(CrosswindKit.Task task) {
        CompletableFuture<HttpResponse<InputStream>> future = CrosswindKit.cast(task.context);
        if (future == null || future.cancel(true)) return;
        try {
            future.join().body().close();
        } catch (IOException | CompletionException error) {
            System.err.println("cancel: " + error);
        }
    }

    public CrosswindKit.Failure classify(Throwable error) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable one = error; one != null && !causes.contains(one); one = one.getCause()) causes.add(one);
        String text = causes.toString(), lower = text.toLowerCase();
        if (error instanceof IllegalArgumentException) return new CrosswindKit.Failure("other", text, lower.contains("scheme") ? -1002 : -1000);
        if (has(causes, HttpTimeoutException.class)) return new CrosswindKit.Failure("timedOut", text);
        if (has(causes, UnresolvedAddressException.class)) return new CrosswindKit.Failure("nameResolution", text);
        if (lower.contains("network is unreachable")) return new CrosswindKit.Failure("offline", text);
        if (has(causes, ConnectException.class)) return new CrosswindKit.Failure("refused", text);
        if (has(causes, SSLException.class)) return new CrosswindKit.Failure("tlsRejected", text);
        if (lower.contains("fixed content-length") || lower.contains("chunked transfer encoding, state")) return new CrosswindKit.Failure("truncated", text);
        if (has(causes, ProtocolException.class) || has(causes, NumberFormatException.class) || lower.contains("invalid") || lower.contains("illegal")) {
            return new CrosswindKit.Failure("malformedResponse", text);
        }
        if (has(causes, IOException.class)) return new CrosswindKit.Failure("lost", text);
        return new CrosswindKit.Failure("other", text);
    }

    private static boolean has(List<Throwable> causes, Class<?> type) { return causes.stream().anyMatch(type::isInstance); }

    public static void main(String[] arguments) throws Exception { CrosswindKit.run(new Adapter()); }
}
