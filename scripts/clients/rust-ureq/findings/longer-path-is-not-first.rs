// ureq does not send cookies with longer paths first, and not with a blank between them (the crate cookie_store, and ureq's extract_cookies).
//
// RFC 6265 §5.4: "The user agent SHOULD sort the cookie-list in the following order: Cookies with longer paths are listed before cookies with shorter
// paths." "If there is an unprocessed cookie in the cookie-list, output the characters %x3B and %x20 ("; ")."
//
// Run: ./run longer-path-is-not-first. Exit status 1 while the defect is there.
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
    let set: String = (1..=7).map(|n| format!("Set-Cookie: c{n}={n}; Path=/{}\r\n", "a/".repeat(n))).collect();
    let (port, requests) = serve(vec![format!("HTTP/1.1 200 OK\r\n{set}Content-Length: 0\r\n\r\n"), "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".into()]);
    let (agent, path) = (ureq::agent(), "a/".repeat(8));
    agent.get(&format!("http://127.0.0.1:{port}/{path}")).call().unwrap();
    agent.get(&format!("http://127.0.0.1:{port}/{path}")).call().unwrap();
    let requests = requests.lock().unwrap();
    let line = requests[1].lines().find(|line| line.starts_with("Cookie: ")).unwrap_or("no Cookie");
    println!("ureq 2.6.2: {line}");
    std::process::exit((line != "Cookie: c7=7; c6=6; c5=5; c4=4; c3=3; c2=2; c1=1") as i32);
}
