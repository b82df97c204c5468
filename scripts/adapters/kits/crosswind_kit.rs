// The Crosswind adapter kit for Rust, without crates: JSON, lines, numbers, clock, flush, and the order of a task's events.
//
// Include it as a module, implement Client and call run. `load` runs at `resume`, on a thread of its own: it calls the client under
// test and reports to the task what arrives. Ok completes the task, an error completes it with its class.
#![allow(dead_code)]

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{BufRead, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

const VERSION: &str = "2";
pub const PIECE: usize = 64 * 1024;
const LONGEST: usize = 4 * 1024 * 1024; // bytes in a line of didReceiveData

/// A JSON value. Numbers keep their text, so they stay exact.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Flag(bool),
    Number(String),
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl From<&str> for Json {
    fn from(text: &str) -> Json { Json::Text(text.to_string()) }
}
impl From<String> for Json {
    fn from(text: String) -> Json { Json::Text(text) }
}
impl From<bool> for Json {
    fn from(flag: bool) -> Json { Json::Flag(flag) }
}
impl From<i64> for Json {
    fn from(number: i64) -> Json { Json::Number(number.to_string()) }
}
impl From<Vec<Json>> for Json {
    fn from(list: Vec<Json>) -> Json { Json::Array(list) }
}

pub fn object<const N: usize>(fields: [(&str, Json); N]) -> Json {
    Json::Object(fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
}

impl Json {
    /// The member of an object; None where it is absent or null.
    pub fn get(&self, name: &str) -> Option<&Json> {
        let Json::Object(fields) = self else { return None };
        fields.iter().find(|(key, value)| key == name && *value != Json::Null).map(|(_, value)| value)
    }
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(Json::Text(text)) => Some(text),
            _ => None,
        }
    }
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.get(name) {
            Some(Json::Number(text)) => text.parse().ok(),
            _ => None,
        }
    }
    pub fn list(&self, name: &str) -> &[Json] {
        match self.get(name) {
            Some(Json::Array(list)) => list,
            _ => &[],
        }
    }

    pub fn format(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Flag(flag) => out.push_str(if *flag { "true" } else { "false" }),
            Json::Number(text) => out.push_str(text),
            Json::Text(text) => write_text(text, out),
            Json::Array(list) => {
                for (index, value) in list.iter().enumerate() {
                    out.push(if index == 0 { '[' } else { ',' });
                    value.write(out);
                }
                out.push_str(if list.is_empty() { "[]" } else { "]" });
            }
            Json::Object(fields) => {
                for (index, (name, value)) in fields.iter().enumerate() {
                    out.push(if index == 0 { '{' } else { ',' });
                    write_text(name, out);
                    out.push(':');
                    value.write(out);
                }
                out.push_str(if fields.is_empty() { "{}" } else { "}" });
            }
        }
    }

    pub fn parse(text: &str) -> Json { Parser { text: text.chars().collect(), at: 0 }.value() }
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => write!(out, "\\u{:04x}", c as u32).unwrap(),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Lines from the harness are valid JSON; anything else ends the adapter with a panic.
struct Parser {
    text: Vec<char>,
    at: usize,
}

impl Parser {
    fn next(&mut self) -> char {
        while self.text[self.at].is_whitespace() {
            self.at += 1;
        }
        self.text[self.at]
    }

    fn skip(&mut self, c: char) -> bool {
        let found = self.next() == c;
        self.at += found as usize;
        found
    }

    fn value(&mut self) -> Json {
        match self.next() {
            '{' => {
                let mut fields = Vec::new();
                self.at += 1;
                while !self.skip('}') {
                    self.next();
                    let name = self.string();
                    assert!(self.skip(':'), "not JSON");
                    fields.push((name, self.value()));
                    self.skip(',');
                }
                Json::Object(fields)
            }
            '[' => {
                let mut list = Vec::new();
                self.at += 1;
                while !self.skip(']') {
                    list.push(self.value());
                    self.skip(',');
                }
                Json::Array(list)
            }
            '"' => Json::Text(self.string()),
            _ => {
                let start = self.at;
                while self.at < self.text.len() && !",]} \t\r\n".contains(self.text[self.at]) {
                    self.at += 1;
                }
                let word: String = self.text[start..self.at].iter().collect();
                match word.as_str() {
                    "null" => Json::Null,
                    "true" | "false" => Json::Flag(word == "true"),
                    _ => Json::Number(word),
                }
            }
        }
    }

    fn unit(&mut self) -> u32 {
        let digits: String = self.text[self.at + 1..self.at + 5].iter().collect();
        self.at += 4;
        u32::from_str_radix(&digits, 16).expect("four digits")
    }

    fn string(&mut self) -> String {
        let mut out = String::new();
        self.at += 1;
        while self.text[self.at] != '"' {
            let mut c = self.text[self.at];
            if c == '\\' {
                self.at += 1;
                c = match self.text[self.at] {
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    'u' => {
                        let mut code = self.unit();
                        if (0xD800..0xDC00).contains(&code) && self.text[self.at + 1..].starts_with(&['\\', 'u']) {
                            self.at += 2;
                            code = 0x10000 + ((code - 0xD800) << 10) + (self.unit() - 0xDC00);
                        }
                        char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
                    }
                    other => other,
                };
            }
            out.push(c);
            self.at += 1;
        }
        self.at += 1;
        out
    }
}

fn encode(data: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in data.chunks(3) {
        let bits = three.iter().enumerate().fold(0, |bits, (index, byte)| bits | (*byte as usize) << (16 - 8 * index));
        for index in 0..4 {
            out.push(if index <= three.len() { DIGITS[bits >> (18 - 6 * index) & 63] as char } else { '=' });
        }
    }
    out
}

fn decode(text: &str) -> Vec<u8> {
    let (mut out, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for c in text.bytes().take_while(|c| *c != b'=') {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            _ => 63,
        };
        bits = bits << 6 | value as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    out
}

/// An error with its class and the URL error code that stands for it, or a more exact one.
#[derive(Clone, Debug)]
pub struct Failure {
    pub kind: String,
    pub code: i64,
    pub text: String,
}

impl Failure {
    pub fn new(kind: &str, text: impl Into<String>) -> Failure {
        let code = match kind {
            "offline" => -1009,
            "nameResolution" => -1003,
            "refused" => -1004,
            "lost" | "truncated" => -1005,
            "timedOut" => -1001,
            "tlsRejected" => -1200,
            "malformedResponse" => -1017,
            "cancelled" => -999,
            _ => -1,
        };
        Failure { kind: kind.to_string(), code, text: text.into() }
    }
}

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}
extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

/// CLOCK_MONOTONIC on 64-bit systems; std's Instant does not show its value.
fn monotonic() -> i64 {
    let mut now = Timespec { seconds: 0, nanoseconds: 0 };
    unsafe { clock_gettime(1, &mut now) };
    now.seconds * 1_000_000_000 + now.nanoseconds
}

static WRITING: Mutex<i64> = Mutex::new(0);

/// Writes one event: numbered, timed, and flushed before this returns.
pub fn emit(event: &str, fields: Vec<(&str, Json)>, data: Option<&[u8]>) {
    let mut sequence = WRITING.lock().unwrap();
    *sequence += 1;
    let mut line = vec![("v", Json::Number(VERSION.into())), ("seq", (*sequence).into()), ("time", monotonic().into()), ("event", event.into())];
    line.extend(fields);
    if let Some(data) = data {
        line.extend([("length", (data.len() as i64).into()), ("base64", encode(data).into())]);
    }
    let text = Json::Object(line.into_iter().map(|(name, value)| (name.to_string(), value)).collect()).format() + "\n";
    let mut out = std::io::stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|_| out.flush()).is_err() {
        std::process::exit(1); // the harness is gone
    }
}

pub trait Client: Send + Sync + 'static {
    type Session: Send + Sync + 'static;
    fn name(&self) -> &str;
    fn version(&self) -> &str;
    fn capabilities(&self) -> &str; // names with spaces between
    /// Names of events, if this client cannot report every event.
    fn reports(&self) -> Option<&str> { None }
    fn make_session(&self, configuration: &Json) -> Result<Self::Session, String>; // the error: what is unsupported
    fn make_task(&self, _session: &Self::Session, _task: &Task) -> Result<(), String> { Ok(()) }
    fn load(&self, session: &Self::Session, task: &Task) -> Result<(), Failure>;
}

pub struct Task {
    pub name: String,
    pub url: String,
    pub method: String,
    pub headers: Vec<(String, String)>,
    pub description: Json,
    pub is_cancelled: AtomicBool,
    is_download: bool,
    has_handler: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    is_running: bool,
    is_completed: bool,
    head: Vec<(&'static str, Json)>,
    content: Option<Vec<u8>>,
    received: i64,
}

impl Task {
    fn new(c: Json) -> Task {
        let text = |name: &str| c.text(name).unwrap_or("").to_string();
        let pair = |pair: &Json| match pair {
            Json::Array(two) => match &two[..] {
                [Json::Text(name), Json::Text(value)] => (name.clone(), value.clone()),
                _ => panic!("not a header"),
            },
            _ => panic!("not a header"),
        };
        Task {
            name: text("task"),
            url: text("url"),
            method: c.text("method").unwrap_or(if text("kind") == "upload" { "POST" } else { "GET" }).to_string(),
            headers: c.list("headers").iter().map(pair).collect(),
            is_cancelled: AtomicBool::new(false),
            is_download: text("kind") == "download",
            has_handler: text("delivery") == "completionHandler",
            state: Mutex::default(),
            description: c,
        }
    }

    /// The request's bytes; None for a request without a body.
    pub fn body(&self) -> Option<Vec<u8>> {
        let body = self.description.get("body")?;
        match body.text("path") {
            Some(path) => Some(std::fs::read(path).expect("the file of the body")),
            None => Some(decode(body.text("base64").unwrap_or(""))),
        }
    }

    /// Writes an event of the task; never after its completion.
    pub fn report(&self, event: &str, fields: Vec<(&str, Json)>, data: Option<&[u8]>) {
        self.report_locked(&self.state.lock().unwrap(), event, fields, data)
    }

    fn report_locked(&self, state: &State, event: &str, mut fields: Vec<(&str, Json)>, data: Option<&[u8]>) {
        if state.is_completed {
            return;
        }
        fields.insert(0, ("task", self.name.as_str().into()));
        emit(event, fields, data);
    }

    pub fn redirect(&self, status: i64, url: &str, method: &str) {
        self.report("willPerformRedirect", vec![("status", status.into()), ("url", url.into()), ("method", method.into())], None);
    }

    /// Reports the head. The load must end if this returns false; the task is then cancelled.
    pub fn response(&self, status: i64, url: &str, headers: Vec<(String, String)>, expected: i64) -> bool {
        let headers: Vec<Json> = headers.into_iter().map(|(name, value)| Json::Array(vec![name.into(), value.into()])).collect();
        let mut state = self.state.lock().unwrap();
        state.head = vec![("status", status.into()), ("url", url.into()), ("headers", headers.into()), ("expectedLength", expected.into())];
        if self.is_download || self.has_handler {
            state.content = Some(Vec::new());
        } else {
            self.report_locked(&state, "didReceiveResponse", state.head.clone(), None);
        }
        if !self.has_handler && self.description.text("response") == Some("cancel") {
            self.is_cancelled.store(true, Ordering::SeqCst);
        }
        !self.is_cancelled.load(Ordering::SeqCst)
    }

    /// Reports bytes of the body; for a download or a completion handler they are kept until the end.
    pub fn data(&self, piece: &[u8]) {
        let mut state = self.state.lock().unwrap();
        state.received += piece.len() as i64;
        let Some(content) = &mut state.content else {
            piece.chunks(LONGEST).for_each(|part| self.report_locked(&state, "didReceiveData", vec![], Some(part)));
            return;
        };
        content.extend_from_slice(piece);
        if self.is_download && !self.has_handler {
            let expected = state.head.iter().find(|(name, _)| *name == "expectedLength").map_or(Json::Null, |(_, value)| value.clone());
            let fields = vec![("written", (piece.len() as i64).into()), ("totalWritten", state.received.into()), ("expected", expected)];
            self.report_locked(&state, "didWriteData", fields, None);
        }
    }

    fn complete(&self, state: &mut State, result: Result<(), Failure>) {
        if state.is_completed {
            return;
        }
        let mut end = Vec::new();
        match result {
            Err(failure) => end.push(("error", object([("domain", "NSURLErrorDomain".into()), ("code", failure.code.into()),
                ("class", failure.kind.into()), ("text", failure.text.into())]))),
            Ok(()) => {
                self.hand_over(state);
                if self.has_handler {
                    end.push(("response", Json::Object(state.head.iter().map(|(name, value)| (name.to_string(), value.clone())).collect())));
                }
            }
        }
        self.report_locked(state, if self.has_handler { "completionHandler" } else { "didComplete" }, end, None);
        state.is_completed = true;
    }

    fn hand_over(&self, state: &State) {
        let Some(content) = &state.content else { return };
        for (index, piece) in content.chunks(PIECE).enumerate() {
            if self.is_download {
                self.report_locked(state, "fileContent", vec![("offset", ((index * PIECE) as i64).into())], Some(piece));
            } else {
                self.report_locked(state, "didReceiveData", vec![], Some(piece));
            }
        }
        if self.is_download && !self.has_handler {
            self.report_locked(state, "didFinishDownloading", vec![("length", (content.len() as i64).into())], None);
        }
    }
}

enum Problem {
    Unsupported(String),
    Adapter(String),
}

/// Reads commands until `end` or the end of the input.
pub fn run<C: Client>(client: C) {
    let client = Arc::new(client);
    let mut sessions: HashMap<String, Arc<C::Session>> = HashMap::new();
    let mut tasks: HashMap<String, (Arc<Task>, Arc<C::Session>)> = HashMap::new();
    let mut is_declined = false; // `unsupported` ends the run; later commands would only fail
    for line in std::io::stdin().lock().lines() {
        let c = Json::parse(&line.expect("a line of UTF-8"));
        if c.get("v") != Some(&Json::Number(VERSION.into())) {
            eprintln!("this adapter supports version {VERSION} of the protocol, not {:?}", c.get("v"));
            std::process::exit(1);
        }
        let command = c.text("command").unwrap_or("").to_string();
        if command == "end" {
            break;
        }
        if is_declined {
            continue;
        }
        match perform(&client, &command, c, &mut sessions, &mut tasks) {
            Ok(()) => {}
            Err(Problem::Unsupported(feature)) => {
                is_declined = true;
                emit("unsupported", vec![("feature", feature.into())], None);
            }
            Err(Problem::Adapter(message)) => emit("adapterFailed", vec![("message", format!("{command}: {message}").into())], None),
        }
    }
    std::process::exit(0); // tasks may still run
}

fn offers(names: &str, name: &str) -> bool { names.split_whitespace().any(|one| one == name) }

fn perform<C: Client>(client: &Arc<C>, command: &str, c: Json, sessions: &mut HashMap<String, Arc<C::Session>>,
                      tasks: &mut HashMap<String, (Arc<Task>, Arc<C::Session>)>) -> Result<(), Problem> {
    let name = |key: &str| c.text(key).unwrap_or("").to_string();
    match command {
        "hello" => {
            let offered = |one: &Json| match one {
                Json::Text(name) => (name.clone(), offers(client.capabilities(), name).into()),
                _ => panic!("not a name"),
            };
            let about = object([("name", client.name().into()), ("version", client.version().into()), ("language", "Rust".into())]);
            let mut reply = vec![("implementation", about), ("capabilities", Json::Object(c.list("capabilities").iter().map(offered).collect()))];
            if let Some(reports) = client.reports() {
                reply.push(("reports", reports.split_whitespace().map(Json::from).collect::<Vec<_>>().into()));
            }
            emit("hello", reply, None);
        }
        "makeSession" => {
            let session = client.make_session(c.get("configuration").unwrap_or(&Json::Null)).map_err(Problem::Unsupported)?;
            sessions.insert(name("session"), Arc::new(session));
        }
        "makeTask" => {
            if !offers("data upload download", &name("kind")) {
                return Err(Problem::Unsupported(format!("tasks of the kind {}", name("kind"))));
            }
            let session = sessions.get(&name("session")).ok_or(Problem::Adapter("no such session".into()))?.clone();
            let task = Task::new(c);
            client.make_task(&session, &task).map_err(Problem::Unsupported)?;
            tasks.insert(task.name.clone(), (Arc::new(task), session));
        }
        "resume" => {
            let (task, session) = tasks.get(&name("task")).ok_or(Problem::Adapter("no such task".into()))?.clone();
            let mut state = task.state.lock().unwrap();
            if state.is_running || state.is_completed {
                return Ok(());
            }
            state.is_running = true;
            drop(state);
            let client = client.clone();
            std::thread::spawn(move || {
                let result = client.load(&session, &task);
                let is_cancelled = task.is_cancelled.load(Ordering::SeqCst);
                task.complete(&mut task.state.lock().unwrap(), if is_cancelled { Err(Failure::new("cancelled", "cancelled")) } else { result });
            });
        }
        "cancel" if offers(client.capabilities(), "cancel") => {
            let (task, _) = tasks.get(&name("task")).ok_or(Problem::Adapter("no such task".into()))?;
            task.is_cancelled.store(true, Ordering::SeqCst);
            let mut state = task.state.lock().unwrap();
            if !state.is_running {
                task.complete(&mut state, Err(Failure::new("cancelled", "cancelled")));
            }
        }
        _ => return Err(Problem::Unsupported(format!("the command {command}"))),
    }
    Ok(())
}
