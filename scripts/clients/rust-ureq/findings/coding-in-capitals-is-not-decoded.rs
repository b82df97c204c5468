// ureq does not decode a body whose Content-Encoding is GZIP in capitals.
//
// RFC 9110 §8.4.1: "All content codings are case-insensitive".
//
// Run: ./run coding-in-capitals-is-not-decoded. Exit status 1 while the defect is there.
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

/// Each request gets the next response. Returns the port and the requests' heads.
fn serve(responses: Vec<Vec<u8>>) -> (u16, Arc<Mutex<Vec<String>>>) {
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
                stream.write_all(&response).unwrap();
            }
        }
    });
    (port, requests)
}

fn main() {
    // The text "plain", coded with gzip.
    let body = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x2b\xc8\x49\xcc\xcc\x03\x00\xcf\x62\x20\x19\x05\x00\x00\x00";
    let response = |coding: &str| {
        [format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\nContent-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat()
    };
    let (port, _) = serve(vec![response("gzip"), response("GZIP")]);
    let got: Vec<Vec<u8>> = (0..2)
        .map(|_| {
            let mut bytes = Vec::new();
            ureq::get(&format!("http://127.0.0.1:{port}/")).call().unwrap().into_reader().read_to_end(&mut bytes).unwrap();
            bytes
        })
        .collect();
    println!("ureq 2.6.2: gzip is decoded to {} bytes, GZIP to {} bytes", got[0].len(), got[1].len());
    std::process::exit((got[1] != b"plain") as i32);
}
