// CookieManager, which HttpClient uses for cookies, follows RFC 2965 instead of RFC 6265.
//
// RFC 6265 §5.4: a cookie without Domain is sent to its own host only ("the cookie's host-only-flag is true and the canonicalized request-host is
// identical to the cookie's domain"). §5.1.3: a cookie for shop.com.au matches every host below it. §5.1.4: the path /a matches /a/b and not /ab. §5.3
// step 3: "If the cookie-attribute-list contains an attribute with an attribute-name of "Max-Age"", Expires does not count.
//
// Run: java CookieRules.java. Exit status 1 while a defect is there. Needs only Java.
import java.net.*;
import java.util.*;

class CookieRules {
    /** Returns true if a cookie that `from` sets is sent to `to`. */
    static boolean isSent(String from, String cookie, String to) throws Exception {
        CookieManager manager = new CookieManager();
        manager.put(URI.create(from), Map.of("Set-Cookie", List.of(cookie)));
        return !manager.get(URI.create(to), Map.of()).getOrDefault("Cookie", List.of()).isEmpty();
    }

    public static void main(String[] arguments) throws Exception {
        Map<String, Boolean> wrong = new TreeMap<>();
        wrong.put("sent to a subdomain without Domain", isSent("http://api.test/", "s=1; Path=/", "http://sub.api.test/"));
        wrong.put("not sent to another host of its Domain", !isSent("http://www.shop.com.au/", "s=1; Path=/; Domain=shop.com.au", "http://static.shop.com.au/"));
        wrong.put("sent to /ab with the path /a", isSent("http://api.test/a", "s=1; Path=/a", "http://api.test/ab"));
        wrong.put("expired by Expires in spite of Max-Age", !isSent("http://api.test/", "s=1; Path=/; Expires=Thu, 01 Jan 2015 00:00:00 GMT; Max-Age=3600", "http://api.test/"));
        wrong.values().removeIf(isWrong -> !isWrong);
        System.out.println("Java " + System.getProperty("java.version") + ": " + wrong.keySet());
        System.exit(wrong.isEmpty() ? 0 : 1);
    }
}
