// ureq sends the cookies of the first host to the target of a redirect, another host, and a cookie that the redirect removed.
//
// RFC 6265 §5.4: a cookie belongs to the cookie-list only if "the canonicalized request-host domain-matches the cookie's domain", or is identical to
// it. §5.3: "The user agent MUST evict all expired cookies from the cookie store if, at any time, an expired cookie exists in the cookie store."
//
// Run: ./run cookie-goes-to-another-host. Exit status 1 while the defect is there.
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

/// Each request gets the next response. Returns the port and the requests' heads.
fn serve(responses: Vec<String>) -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (port, requests) = (listener.local_addr().unwrap().port(), Arc::new(Mutex::new(Vec::new())));
    let seen = requests.clone();
    std::thread::spawn(move || {
        let mut left = responses.into_iter();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            loop {
                let (mut head, mut line, mut length) = (String::new(), String::new(), 0);
                while reader.read_line(&mut line).unwrap_or(0) > 2 {
                    length = line.to_lowercase().strip_prefix("content-length:").map_or(length, |text| text.trim().parse().unwrap());
                    head += &line;
                    line.clear();
                }
                if head.is_empty() {
                    break;
                }
                reader.read_exact(&mut vec![0; length]).unwrap();
                seen.lock().unwrap().push(head);
                let Some(response) = left.next() else { return };
                stream.write_all(response.as_bytes()).unwrap();
            }
        }
    });
    (port, requests)
}

fn main() {
    let ok = |more: &str| format!("HTTP/1.1 200 OK\r\n{more}Content-Length: 2\r\nConnection: close\r\n\r\nok");
    let (other, others) = serve(vec![ok("")]);
    let redirect = |to: &str, more: &str| format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\n{more}Content-Length: 0\r\nConnection: close\r\n\r\n");
    let (port, own) = serve(vec![
        ok("Set-Cookie: s=1; Path=/\r\n"),
        redirect(&format!("http://localhost:{other}/"), ""),
        redirect("/home", "Set-Cookie: s=1; Path=/; Max-Age=0\r\n"),
        ok(""),
    ]);
    let agent = ureq::agent();
    for path in ["login", "other", "logout"] {
        agent.get(&format!("http://127.0.0.1:{port}/{path}")).call().unwrap();
    }
    let leaked = others.lock().unwrap()[0].contains("s=1");
    let kept = own.lock().unwrap()[3].contains("s=1");
    println!("ureq 2.6.2: the cookie goes to another host: {leaked}, the removed cookie is sent: {kept}");
    std::process::exit((leaked || kept) as i32);
}
