// ureq's timeout_read does not limit the wait for a response on a reused connection.
//
// Its documentation says of timeout_read: "Timeout for the individual reads of the socket." Stream::reset removes the limit from the socket when a
// connection returns to the pool, and nothing sets it again. No RFC asks for such a limit.
//
// Run: ./run no-read-timeout-on-a-reused-connection. Exit status 1 while the defect is there.
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
    // The second request gets no response.
    let (port, _) = serve(vec!["HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none".into(), "".into()]);
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let agent = ureq::AgentBuilder::new().timeout_read(std::time::Duration::from_secs(1)).build();
        let first = agent.get(&format!("http://127.0.0.1:{port}/a")).call().unwrap();
        assert_eq!(first.into_string().unwrap(), "one");
        sender.send(agent.get(&format!("http://127.0.0.1:{port}/b")).call().err().map(|error| error.to_string()))
    });
    let end = receiver.recv_timeout(std::time::Duration::from_secs(6));
    println!("ureq 2.6.2: after 6 s with a read timeout of 1 s: {end:?}");
    std::process::exit(end.is_err() as i32);
}
