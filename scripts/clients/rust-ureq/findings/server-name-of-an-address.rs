// ureq with native-tls names an IPv6 address as the server in its ClientHello.
//
// RFC 6066 §3: "Literal IPv4 and IPv6 addresses are not permitted in "HostName"." A certificate of that address is not accepted either.
//
// Run: ./run server-name-of-an-address. Exit status 1 while the defect is there.
use std::io::Read;
use std::net::TcpListener;
use std::sync::Arc;

fn main() {
    let listener = TcpListener::bind("[::1]:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = std::thread::spawn(move || {
        let mut hello = vec![0; 4096];
        let count = listener.accept().unwrap().0.read(&mut hello).unwrap();
        hello[..count].windows(5).any(|bytes| bytes == b"[::1]")
    });
    let connector = Arc::new(native_tls::TlsConnector::new().unwrap());
    // The server closes the connection after the ClientHello.
    let _ = ureq::AgentBuilder::new().tls_connector(connector).build().get(&format!("https://[::1]:{port}/")).call();
    let named = server.join().unwrap();
    println!("ureq 2.6.2: the ClientHello has the name [::1]: {named}");
    std::process::exit(named as i32);
}
