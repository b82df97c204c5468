// ureq fails on the response to HEAD if it has Content-Encoding: gzip.
//
// RFC 9112 §6.3: "Any response to a HEAD request [...] is always terminated by the first empty line after the header fields, regardless of the header fields
// present in the message, and thus cannot contain a message body or trailer section."
//
// Run: ./run head-of-a-coded-body-fails. Exit status 1 while the defect is there.
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
    let (port, _) = serve(vec!["HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 30\r\n\r\n".into()]);
    let got = ureq::head(&format!("http://127.0.0.1:{port}/")).call().map_err(|error| error.to_string()).and_then(|response| response.into_string().map_err(|error| error.to_string()));
    println!("ureq 2.6.2: {got:?}");
    std::process::exit(got.is_err() as i32);
}
