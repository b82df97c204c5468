// ureq takes bytes after a complete response for the response to the next request.
//
// RFC 9112 §6.3: "A client MUST NOT process, cache, or forward such extra data as a separate response, since such behavior would be vulnerable to
// cache poisoning."
//
// Run: ./run surplus-bytes-are-the-next-response. Exit status 1 while the defect is there.
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
    let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged";
    let (port, _) = serve(vec![format!("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none{forged}"), "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\ntwo".into()]);
    let agent = ureq::agent();
    agent.get(&format!("http://127.0.0.1:{port}/a")).call().unwrap().into_string().unwrap();
    let text = agent.get(&format!("http://127.0.0.1:{port}/b")).call().unwrap().into_string().unwrap();
    println!("ureq 2.6.2: the response to /b is {text:?}");
    std::process::exit((text != "two") as i32);
}
