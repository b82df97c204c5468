// CookieManager, which HttpClient uses for cookies, follows RFC 2965 instead of RFC 6265.
//
// RFC 6265 §5.4: a cookie without Domain is sent to its own host only ("the cookie's host-only-flag is true and the canonicalized request-host is
// identical to the cookie's domain"). §5.1.3: a cookie for shop.com.au matches every host below it. §5.1.4: the path /a matches /a/b and not /ab. §5.3
// step 3: "If the cookie-attribute-list contains an attribute with an attribute-name of "Max-Age"", Expires does not count, and §5.2.2: "If delta-seconds
// is less than or equal to zero (0), let expiry-time be the earliest representable date and time." §5.3 step 11: only a cookie "with the same name,
// domain, and path" is replaced, and sid is not SID.
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

    /** Returns the cookies that a host receives after it has set `cookies`, one in each response. */
    static String sent(String... cookies) throws Exception {
        CookieManager manager = new CookieManager();
        for (String cookie : cookies) manager.put(URI.create("http://api.test/"), Map.of("Set-Cookie", List.of(cookie)));
        return String.join("; ", manager.get(URI.create("http://api.test/"), Map.of()).getOrDefault("Cookie", List.of()));
    }

    public static void main(String[] arguments) throws Exception {
        Map<String, Boolean> wrong = new TreeMap<>();
        wrong.put("sent to a subdomain without Domain", isSent("http://api.test/", "s=1; Path=/", "http://sub.api.test/"));
        wrong.put("not sent to another host of its Domain", !isSent("http://www.shop.com.au/", "s=1; Path=/; Domain=shop.com.au", "http://static.shop.com.au/"));
        wrong.put("sent to /ab with the path /a", isSent("http://api.test/a", "s=1; Path=/a", "http://api.test/ab"));
        wrong.put("expired by Expires in spite of Max-Age", !isSent("http://api.test/", "s=1; Path=/; Expires=Thu, 01 Jan 2015 00:00:00 GMT; Max-Age=3600", "http://api.test/"));
        wrong.put("sent after Max-Age=0 with a later Expires", !sent("s=1; Path=/", "s=; Path=/; Expires=Thu, 01 Jan 2099 00:00:00 GMT; Max-Age=0").isEmpty());
        wrong.put("replaced by a cookie with another name", !sent("sid=1; Path=/", "SID=2; Path=/").contains("sid=1"));
        wrong.values().removeIf(isWrong -> !isWrong);
        System.out.println("Java " + System.getProperty("java.version") + ": " + wrong.keySet());
        System.exit(wrong.isEmpty() ? 0 : 1);
    }
}
