// An adapter whose client works without a network: it responds with the request's body. scripts/adapters/kits/check compares its lines.
#[path = "../crosswind_kit.rs"]
mod kit;

use kit::{Failure, Json, Task};
use std::sync::atomic::Ordering;

struct Echo;

impl kit::Client for Echo {
    type Session = ();
    fn name(&self) -> &str { "echo" }
    fn version(&self) -> &str { "1" }
    fn capabilities(&self) -> &str { "data upload download delegate completionHandler cancel responseDisposition" }
    fn reports(&self) -> Option<&str> { Some("didReceiveResponse didReceiveData didComplete") }

    fn make_session(&self, configuration: &Json) -> Result<(), String> {
        kit::emit("log", vec![("text", configuration.format().into())], None);
        Ok(())
    }

    fn load(&self, _session: &(), task: &Task) -> Result<(), Failure> {
        kit::emit("log", vec![("text", task.description.format().into())], None);
        let path = task.url.split("echo.test").nth(1).unwrap_or("");
        while path == "/wait" {
            if task.is_cancelled.load(Ordering::SeqCst) {
                return Err(Failure::new("other", "stopped"));
            }
            std::thread::yield_now();
        }
        if let Some(kind) = path.strip_prefix("/fail/") {
            return Err(Failure::new(kind, "as\nasked"));
        }
        if path == "/redirect" {
            task.redirect(302, &task.url, "GET");
        }
        let body = task.body().unwrap_or_default();
        if task.response(200, &task.url, task.headers.clone(), body.len() as i64) && !body.is_empty() {
            task.data(&body);
        }
        Ok(())
    }
}

fn main() { kit::run(Echo) }
