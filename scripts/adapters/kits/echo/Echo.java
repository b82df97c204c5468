// An adapter whose client works without a network: it responds with the request's body. scripts/adapters/kits/check compares its lines.
import java.util.Map;
import java.util.concurrent.CountDownLatch;

final class Echo implements CrosswindKit.Client<Map<String, Object>> {
    private final CountDownLatch stopped = new CountDownLatch(1);

    public String name() { return "echo"; }
    public String version() { return "1"; }
    public String capabilities() { return "data upload download delegate completionHandler cancel responseDisposition"; }
    public String reports() { return "didReceiveResponse didReceiveData didComplete"; }

    public Map<String, Object> makeSession(Map<String, Object> configuration) {
        CrosswindKit.log(CrosswindKit.format(configuration));
        return configuration;
    }

    public void load(Map<String, Object> session, CrosswindKit.Task task) throws Exception {
        CrosswindKit.log(CrosswindKit.format(task.description));
        String path = task.url.substring(task.url.indexOf("echo.test") < 0 ? task.url.length() : task.url.indexOf("echo.test") + 9);
        if (path.equals("/wait")) {
            stopped.await();
            throw new IllegalStateException("stopped");
        }
        if (path.startsWith("/fail/")) throw new CrosswindKit.Failure(path.substring(6), "as\nasked");
        if (path.equals("/redirect")) task.redirect(302, task.url, "GET");
        byte[] body = task.body() == null ? new byte[0] : task.body();
        if (task.response(200, task.url, task.headers(), body.length) && body.length > 0) task.data(body);
    }

    public void cancel(CrosswindKit.Task task) { stopped.countDown(); }
    public CrosswindKit.Failure classify(Throwable error) { return new CrosswindKit.Failure("other", "" + error); }

    public static void main(String[] arguments) throws Exception { CrosswindKit.run(new Echo()); }
}
