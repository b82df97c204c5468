// ureq takes a 100 or 103 response for the final one.
//
// RFC 9110 §15.2: "A client MUST be able to parse one or more 1xx responses received prior to a final response, even if the client does not expect
// one."
//
// Run: ./run interim-response-is-final. Exit status 1 while the defect is there.
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
    let (port, _) = serve(vec!["HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok".into()]);
    let status = ureq::get(&format!("http://127.0.0.1:{port}/")).call().unwrap().status();
    println!("ureq 2.6.2: status {status}");
    std::process::exit((status != 200) as i32);
}
