// The Crosswind adapter kit for Java: JSON, lines, numbers, clock, flush, and the order of a task's events.
//
// Implement CrosswindKit.Client and call CrosswindKit.run. `load` runs at `resume`, on a thread of its own: it calls the client under
// test and reports to the task what arrives. Its return completes the task, an exception completes it with the error of `classify`.
import java.io.*;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;

final class CrosswindKit {
    // A line of didReceiveData carries at most LONGEST bytes.
    static final int VERSION = 2, PIECE = 64 * 1024, LONGEST = 4 * 1024 * 1024;
    /** The URL error code that stands for each class, for checks that compare codes. */
    static final Map<String, Integer> CODES = Map.of("offline", -1009, "nameResolution", -1003, "refused", -1004, "lost", -1005,
        "truncated", -1005, "timedOut", -1001, "tlsRejected", -1200, "malformedResponse", -1017, "cancelled", -999, "other", -1);
    // Not System.out: a JVM prints warnings there, which would break the protocol.
    private static final OutputStream OUT = new FileOutputStream(FileDescriptor.out);
    private static long sequence = 0;

    /** Thrown by makeSession and makeTask for what the client cannot be asked for. */
    static final class Unsupported extends RuntimeException {
        Unsupported(String feature) { super(feature); }
    }

    /** An error with its class and, if it is more exact than the class, its URL error code. */
    static final class Failure extends RuntimeException {
        final String kind; final int code;
        Failure(String kind, String text) { this(kind, text, CODES.get(kind)); }
        Failure(String kind, String text, int code) { super(text); this.kind = kind; this.code = code; }
    }

    interface Client<Session> {
        String name();
        String version();
        String capabilities();  // names with spaces between
        default String reports() { return null; }  // names of events, if this client cannot report every event
        Session makeSession(Map<String, Object> configuration) throws Exception;
        default void makeTask(Session session, Task task) throws Exception {}
        void load(Session session, Task task) throws Exception;
        default void cancel(Task task) {}  // makes `load` end
        Failure classify(Throwable error);
    }

    /** A map from alternating names and values. */
    static Map<String, Object> fields(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) map.put((String) pairs[i], pairs[i + 1]);
        return map;
    }

    /** Writes one event: numbered, timed, and flushed before this returns. */
    static synchronized void emit(String event, Map<String, Object> fields, byte[] data) {
        Map<String, Object> line = fields("v", VERSION, "seq", ++sequence, "time", System.nanoTime(), "event", event);
        line.putAll(fields);
        if (data != null) {
            line.put("length", data.length);
            line.put("base64", Base64.getEncoder().encodeToString(data));
        }
        try {
            OUT.write((format(line) + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException error) {
            System.exit(1);  // the harness is gone
        }
    }

    static void log(String text) { emit("log", fields("text", text), null); }

    static final class Task {
        final Map<String, Object> description;
        final String name, url, method;
        final boolean isDownload, hasHandler;
        volatile boolean isCancelled;
        private String state = "suspended";
        private Map<String, Object> head;
        private ByteArrayOutputStream content;
        private long received = 0;
        Object context;  // for the client

        Task(Map<String, Object> description) {
            this.description = description;
            name = text("task");
            url = text("url");
            isDownload = text("kind").equals("download");
            hasHandler = text("delivery").equals("completionHandler");
            method = description.get("method") != null ? text("method") : text("kind").equals("upload") ? "POST" : "GET";
        }

        String text(String key) { return (String) description.get(key); }
        List<List<String>> headers() { return CrosswindKit.<List<List<String>>>cast(description.getOrDefault("headers", List.of())); }

        /** The request's bytes, or null for a request without a body. */
        byte[] body() throws IOException {
            Map<String, Object> body = cast(description.get("body"));
            if (body == null) return null;
            if (body.get("path") != null) return Files.readAllBytes(Path.of((String) body.get("path")));
            return Base64.getDecoder().decode((String) body.get("base64"));
        }

        synchronized void report(String event, Map<String, Object> fields, byte[] data) {
            if (state.equals("completed")) return;
            Map<String, Object> all = fields("task", name);
            all.putAll(fields);
            emit(event, all, data);
        }

        void redirect(int status, String url, String method) {
            report("willPerformRedirect", fields("status", status, "url", url, "method", method), null);
        }

        /** Reports the head. The load must end if this returns false; the task is then cancelled. */
        boolean response(int status, String url, List<List<String>> headers, long expected) {
            head = fields("status", status, "url", url, "headers", headers, "expectedLength", expected);
            if (isDownload || hasHandler) content = new ByteArrayOutputStream();
            else report("didReceiveResponse", head, null);
            if (!hasHandler && "cancel".equals(description.get("response"))) isCancelled = true;
            return !isCancelled;
        }

        /** Reports bytes of the body; for a download or a completion handler they are kept until the end. */
        void data(byte[] piece) {
            received += piece.length;
            if (content == null) {
                for (int start = 0; start < piece.length; start += LONGEST) {
                    report("didReceiveData", Map.of(), Arrays.copyOfRange(piece, start, Math.min(piece.length, start + LONGEST)));
                }
                return;
            }
            content.writeBytes(piece);
            if (isDownload && !hasHandler) {
                report("didWriteData", fields("written", piece.length, "totalWritten", received, "expected", head.get("expectedLength")), null);
            }
        }

        /** Completes the task once, from the first thread that calls this; null means success. */
        synchronized void complete(Failure failure) {
            if (state.equals("completed")) return;
            Map<String, Object> end = fields();
            if (failure == null) handOver();
            else {
                end.put("error", fields("domain", "NSURLErrorDomain", "code", failure.code, "class", failure.kind, "text", "" + failure.getMessage()));
            }
            if (hasHandler && failure == null) end.put("response", head);
            report(hasHandler ? "completionHandler" : "didComplete", end, null);
            state = "completed";
        }

        private void handOver() {
            if (content == null) return;
            byte[] all = content.toByteArray();
            for (int offset = 0; offset < all.length; offset += PIECE) {
                byte[] piece = Arrays.copyOfRange(all, offset, Math.min(all.length, offset + PIECE));
                if (isDownload) report("fileContent", fields("offset", offset), piece);
                else report("didReceiveData", Map.of(), piece);
            }
            if (isDownload && !hasHandler) report("didFinishDownloading", fields("length", all.length), null);
        }

        synchronized boolean start() {
            if (!state.equals("suspended")) return false;
            state = "running";
            return true;
        }

        synchronized boolean cancel() {
            if (state.equals("completed")) return false;
            isCancelled = true;
            if (state.equals("running")) return true;
            complete(new Failure("cancelled", "cancelled"));
            return false;
        }
    }

    static <Session> void run(Client<Session> client) throws IOException {
        Map<String, Session> sessions = new HashMap<>();
        Map<String, Task> tasks = new HashMap<>();
        Set<String> offered = Set.of(client.capabilities().trim().split("\\s+"));
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        boolean isDeclined = false;  // `unsupported` ends the run; later commands would only fail
        for (String line; (line = input.readLine()) != null;) {
            Map<String, Object> c = cast(new Parser(line).value());
            if (!c.get("v").equals((long) VERSION)) {
                System.err.println("this adapter supports version " + VERSION + " of the protocol, not " + c.get("v"));
                Runtime.getRuntime().halt(1);
            }
            String command = (String) c.get("command");
            if (isDeclined && !command.equals("end")) continue;
            try {
                switch (command) {
                    case "hello" -> hello(client, offered, cast(c.get("capabilities")));
                    case "makeSession" -> sessions.put((String) c.get("session"), client.makeSession(cast(c.get("configuration"))));
                    case "makeTask" -> {
                        if (!Set.of("data", "upload", "download").contains(c.get("kind"))) throw new Unsupported("tasks of the kind " + c.get("kind"));
                        Task task = new Task(c);
                        client.makeTask(sessions.get(c.get("session")), task);
                        tasks.put(task.name, task);
                    }
                    case "resume" -> {
                        Task task = Objects.requireNonNull(tasks.get(c.get("task")), "no such task");
                        if (task.start()) start(client, sessions.get(task.text("session")), task);
                    }
                    case "cancel" -> {
                        if (!offered.contains("cancel")) throw new Unsupported("the command cancel");
                        Task task = Objects.requireNonNull(tasks.get(c.get("task")), "no such task");
                        if (task.cancel()) client.cancel(task);
                    }
                    case "end" -> Runtime.getRuntime().halt(0);
                    default -> throw new Unsupported("the command " + command);
                }
            } catch (Unsupported error) {
                isDeclined = true;
                emit("unsupported", fields("feature", error.getMessage()), null);
            } catch (Exception error) {
                emit("adapterFailed", fields("message", command + ": " + error), null);
            }
        }
        Runtime.getRuntime().halt(0);  // end of input; tasks may still run
    }

    private static void hello(Client<?> client, Set<String> offered, List<String> asked) {
        Map<String, Object> capabilities = fields();
        for (String name : asked) capabilities.put(name, offered.contains(name));
        Map<String, Object> reply = fields("implementation", fields("name", client.name(), "version", client.version(), "language", "Java"),
            "capabilities", capabilities);
        if (client.reports() != null) reply.put("reports", List.of(client.reports().trim().split("\\s+")));
        emit("hello", reply, null);
    }

    private static <Session> void start(Client<Session> client, Session session, Task task) {
        Thread thread = new Thread(() -> {
            Failure failure = null;
            try {
                client.load(session, task);
            } catch (Failure error) {
                failure = error;
            } catch (Throwable error) {
                failure = client.classify(error);
            }
            task.complete(task.isCancelled ? new Failure("cancelled", "cancelled") : failure);
        });
        thread.setDaemon(true);
        thread.start();
    }

    @SuppressWarnings("unchecked")
    static <T> T cast(Object value) { return (T) value; }

    /** Writes maps, lists, texts, numbers, flags and null as JSON. */
    static String format(Object value) {
        StringBuilder out = new StringBuilder();
        format(value, out);
        return out.toString();
    }

    private static void format(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            String separator = "{";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(separator);
                format(entry.getKey(), out);
                format(entry.getValue(), out.append(':'));
                separator = ",";
            }
            out.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> list) {
            String separator = "[";
            for (Object element : list) {
                format(element, out.append(separator));
                separator = ",";
            }
            out.append(list.isEmpty() ? "[]" : "]");
        } else if (value instanceof String text) {
            out.append('"');
            for (char c : text.toCharArray()) {
                // Half of a surrogate pair cannot be written as UTF-8, so every one is escaped.
                if (c < ' ' || Character.isSurrogate(c)) out.append(String.format("\\u%04x", (int) c));
                else if (c == '"' || c == '\\') out.append('\\').append(c);
                else out.append(c);
            }
            out.append('"');
        } else out.append(value);
    }

    /** Parses one JSON value: maps, lists, texts, Long, BigDecimal for fractions, Boolean and null. */
    private static final class Parser {
        private final String text;
        private int at = 0;

        Parser(String text) { this.text = text; }

        private char next() {
            while (Character.isWhitespace(text.charAt(at))) at++;
            return text.charAt(at);
        }

        private boolean skip(char c) {
            if (next() != c) return false;
            at++;
            return true;
        }

        Object value() {
            switch (next()) {
                case '{': {
                    Map<String, Object> map = new LinkedHashMap<>();
                    at++;
                    while (!skip('}')) {
                        String key = (String) value();
                        if (!skip(':')) throw new IllegalArgumentException("not JSON at " + at);
                        map.put(key, value());
                        skip(',');
                    }
                    return map;
                }
                case '[': {
                    List<Object> list = new ArrayList<>();
                    at++;
                    while (!skip(']')) {
                        list.add(value());
                        skip(',');
                    }
                    return list;
                }
                case '"': return string();
                default: return word();
            }
        }

        private String string() {
            StringBuilder out = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char c = text.charAt(at);
                if (c == '\\') {
                    c = text.charAt(++at);
                    int index = "bfnrt".indexOf(c);
                    if (index >= 0) c = "\b\f\n\r\t".charAt(index);
                    if (text.charAt(at) == 'u') {
                        c = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                        at += 4;
                    }
                }
                out.append(c);
            }
            at++;
            return out.toString();
        }

        private Object word() {
            int start = at;
            while (at < text.length() && ",]} \t".indexOf(text.charAt(at)) < 0) at++;
            String word = text.substring(start, at);
            return switch (word) {
                case "true" -> true;
                case "false" -> false;
                case "null" -> null;
                default -> word.matches("-?\\d+") ? (Object) Long.parseLong(word) : new BigDecimal(word);
            };
        }
    }
}
