// Crosswind adapter for ureq: one Agent for each session.
#[path = "../../adapters/kits/crosswind_kit.rs"]
mod kit;

use kit::{Failure, Json, Task};
use std::error::Error;
use std::io::{ErrorKind, Read};
use std::sync::Arc;
use std::time::Duration;

const VERSION: &str = "2.6.2";

struct Ureq;

/// The agent that follows redirects and the one that does not.
struct Session {
    following: ureq::Agent,
    staying: ureq::Agent,
}

/// Returns a connector that trusts SSL_CERT_FILE; OpenSSL reads it, and native-tls uses OpenSSL here.
fn connector() -> Arc<native_tls::TlsConnector> { Arc::new(native_tls::TlsConnector::new().expect("a TLS connector")) }

impl kit::Client for Ureq {
    type Session = Session;
    fn name(&self) -> &str { "ureq" }
    fn version(&self) -> &str { VERSION }
    fn capabilities(&self) -> &str {
        "data upload download delegate completionHandler requestTimeout resourceTimeout tls followRedirects redirectDecision \
         responseDisposition downloadProgress cookies sessionProxy contentDecoding connectionReuse idempotentRetry incrementalData"
    }
    fn reports(&self) -> Option<&str> {
        Some("didReceiveResponse didReceiveData didWriteData fileContent didFinishDownloading didComplete completionHandler")
    }

    fn make_session(&self, configuration: &Json) -> Result<Session, String> {
        let build = |redirects: Option<u32>| {
            let mut builder = ureq::AgentBuilder::new().tls_connector(connector());
            if let Some(limit) = configuration.number("requestTimeout").map(Duration::from_secs_f64) {
                builder = builder.timeout_connect(limit).timeout_read(limit).timeout_write(limit);
            }
            if let Some(limit) = configuration.number("resourceTimeout") {
                builder = builder.timeout(Duration::from_secs_f64(limit));
            }
            if let Some(proxy) = configuration.get("proxy") {
                let port = proxy.number("port").unwrap_or(0.0) as u16;
                let user = proxy.text("user").map_or(String::new(), |user| format!("{user}:{}@", proxy.text("password").unwrap_or("")));
                let address = format!("{}://{user}{}:{port}", proxy.text("kind").unwrap_or(""), proxy.text("host").unwrap_or(""));
                builder = builder.proxy(ureq::Proxy::new(address).map_err(|error| error.to_string())?);
            }
            if let Some(count) = redirects {
                builder = builder.redirects(count);
            }
            Ok::<_, String>(builder.build())
        };
        Ok(Session { following: build(None)?, staying: build(Some(0))? })
    }

    fn make_task(&self, _session: &Session, task: &Task) -> Result<(), String> {
        match () {
            _ if task.description.text("redirect") == Some("to") => Err("another target for a redirect".into()),
            // Its only limit for one request is that of the whole load.
            _ if task.description.get("timeout").is_some() => Err("a limit of silence for one request".into()),
            _ => Ok(()),
        }
    }

    fn load(&self, session: &Session, task: &Task) -> Result<(), Failure> {
        let agent = if task.description.text("redirect") == Some("refuse") { &session.staying } else { &session.following };
        let mut request = agent.request(&task.method, &task.url);
        for (name, value) in &task.headers {
            request = request.set(name, value);
        }
        let result = match task.body() {
            Some(body) => request.send_bytes(&body),
            None => request.call(),
        };
        let response = match result {
            Ok(response) | Err(ureq::Error::Status(_, response)) => response, // a status is not a failure of the load
            Err(error) => return Err(classify(&error)),
        };
        let mut headers = Vec::new();
        // ureq lists the name of a field once for each of its lines.
        let mut names = response.headers_names();
        names.sort();
        names.dedup();
        for name in names {
            headers.extend(response.all(&name).into_iter().map(|value| (name.clone(), value.to_string())));
        }
        let expected = response.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(-1);
        if !task.response(response.status() as i64, response.get_url(), headers, expected) {
            return Ok(());
        }
        let (mut reader, mut buffer) = (response.into_reader(), vec![0; kit::PIECE]);
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(count) => task.data(&buffer[..count]),
                Err(error) => return Err(classify(&error)),
            }
        }
    }
}

fn classify(error: &(dyn Error + 'static)) -> Failure {
    let (mut texts, mut kinds, mut cause) = (Vec::new(), Vec::new(), Some(error));
    while let Some(one) = cause {
        texts.push(one.to_string());
        kinds.extend(one.downcast_ref::<std::io::Error>().map(|error| error.kind()));
        cause = one.source();
    }
    let text = texts.join(": ");
    let fail = |kind: &str| Failure::new(kind, text.as_str());
    let coded = |code: i64| Failure { code, ..Failure::new("other", text.as_str()) };
    let has = |kind: ErrorKind| kinds.contains(&kind);
    let says = |part: &str| text.contains(part);
    match () {
        _ if has(ErrorKind::TimedOut) || has(ErrorKind::WouldBlock) || says("timed out") || says("HandshakeError::WouldBlock") => fail("timedOut"),
        // In a TLS handshake, which ureq reports as a failed connection.
        _ if says("native_tls connect failed: unexpected EOF") || says("native_tls connect failed: Connection reset") => fail("lost"),
        _ if says("Dns Failed") => fail("nameResolution"),
        _ if says("Network is unreachable") => fail("offline"),
        _ if says("certificate") || says("SSL") || says("TLS") || says("ssl") => fail("tlsRejected"),
        _ if has(ErrorKind::ConnectionRefused) || has(ErrorKind::HostUnreachable) || says("Connection Failed") || says("Proxy failed") => fail("refused"),
        _ if says("Too Many Redirects") => coded(-1007),
        _ if says("Unknown Scheme") => coded(-1002),
        _ if says("Bad URL") || says("InvalidUrl") => coded(-1000),
        // The same text for chunks that are damaged and for a body that ends between them; the latter is more frequent.
        _ if says("response body closed before all bytes were read") || says("Error while decoding chunks") => fail("truncated"),
        _ if says("Bad Status") || says("Bad Header") || has(ErrorKind::InvalidData) || has(ErrorKind::InvalidInput) || says("deflate") || says("gzip") => fail("malformedResponse"),
        _ if has(ErrorKind::UnexpectedEof) || has(ErrorKind::ConnectionReset) || has(ErrorKind::BrokenPipe) || has(ErrorKind::ConnectionAborted) => fail("lost"),
        _ => fail("other"),
    }
}

fn main() {
    if std::env::args().len() > 1 {
        return println!("{VERSION}");
    }
    kit::run(Ureq)
}
