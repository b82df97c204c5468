// ureq takes a body that ends without close_notify for complete, although only the end of the connection delimits it.
//
// RFC 9112 §8: "A response that has neither chunked transfer coding nor Content-Length is terminated by closure of the connection and, if the header
// section was received intact, is considered complete unless an error was indicated by the underlying connection (e.g., an "incomplete close" in
// TLS would leave the response incomplete, as described in Section 9.8)."
//
// Run: ./run incomplete-tls-close-is-complete. Exit status 1 while the defect is there. Needs the program openssl. Seen with native-tls on OpenSSL;
// not tried with rustls, ureq's default.
use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Command;
use std::sync::Arc;

fn main() {
    let folder = std::env::temp_dir().join(format!("incomplete-tls-close-{}", std::process::id()));
    std::fs::create_dir(&folder).unwrap();
    let arguments = "req -x509 -newkey rsa:2048 -nodes -keyout key -out certificate -subj /CN=localhost -addext subjectAltName=DNS:localhost";
    assert!(Command::new("openssl").args(arguments.split(' ')).current_dir(&folder).output().unwrap().status.success());
    let (certificate, key) = (std::fs::read(folder.join("certificate")).unwrap(), std::fs::read(folder.join("key")).unwrap());

    let acceptor = native_tls::TlsAcceptor::new(native_tls::Identity::from_pkcs8(&certificate, &key).unwrap()).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let plain = stream.unwrap();
            let Ok(mut secure) = acceptor.accept(plain.try_clone().unwrap()) else { continue };
            let _ = secure.read(&mut [0; 4096]).unwrap();
            let body = "x".repeat(1000);
            secure.write_all(format!("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{body}").as_bytes()).unwrap();
            // FIN after the data, without the alert that secure.shutdown() would send.
            plain.shutdown(std::net::Shutdown::Write).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(500));
        }
    });

    let authority = native_tls::Certificate::from_pem(&certificate).unwrap();
    let connector = native_tls::TlsConnector::builder().add_root_certificate(authority).build().unwrap();
    let agent = ureq::AgentBuilder::new().tls_connector(Arc::new(connector)).build();
    let result = agent.get(&format!("https://localhost:{port}/")).call().unwrap().into_string();
    println!("ureq 2.6.2: {:?}", result.as_ref().map(|text| format!("{} bytes and no error", text.len())));
    std::process::exit(result.is_ok() as i32);
}
