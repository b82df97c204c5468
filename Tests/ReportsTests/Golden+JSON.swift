extension Golden {
    /// `summary.json`, without the last line end.
    static let json = #"""
        {
          "crosswind": "summary",
          "version": 1,
          "asExpected": false,
          "started": "2026-11-21T05:49:22Z",
          "seconds": 65.612,
          "evidence": "out",
          "counts": {"total": 7, "pass": 2, "fail": 2, "unsupported": 1, "skipped": 1, "error": 1},
          "baseline": {
            "expectedFailures": ["order/body"],
            "unexpectedPasses": ["order/redirect"],
            "staleLines": ["baseline/foundation.yaml:12: resume/renamed"]
          },
          "areas": [
            {
              "area": "order",
              "counts": {"total": 2, "pass": 1, "fail": 1, "unsupported": 0, "skipped": 0, "error": 0}
            },
            {
              "area": "resume",
              "counts": {"total": 3, "pass": 1, "fail": 1, "unsupported": 0, "skipped": 1, "error": 0}
            },
            {
              "area": "scenarios",
              "counts": {"total": 1, "pass": 0, "fail": 0, "unsupported": 0, "skipped": 0, "error": 1}
            },
            {
              "area": "tls",
              "counts": {"total": 1, "pass": 0, "fail": 0, "unsupported": 1, "skipped": 0, "error": 0}
            }
          ],
          "bases": [],
          "requirements": [
            {
              "id": "CONN-06",
              "title": "Waits for connectivity",
              "status": "notRun",
              "scenarios": [
                {"scenario": "top", "repetition": 1, "outcome": "error"}
              ]
            },
            {
              "id": "DNLD-9",
              "title": "Resume data after a lost connection",
              "status": "failed",
              "scenarios": [
                {"scenario": "resume/reset-at-byte", "repetition": 1, "outcome": "fail"}
              ]
            },
            {
              "id": "DNLD-10",
              "title": "Range and If-Range",
              "status": "failed",
              "scenarios": [
                {"scenario": "resume/reset-at-byte", "repetition": 1, "outcome": "fail"},
                {"scenario": "resume/reset-twice", "repetition": 1, "outcome": "skipped"}
              ]
            },
            {
              "id": "DNLD-11",
              "title": "Weak validators",
              "status": "proved",
              "scenarios": [
                {"scenario": "resume/weak-validator", "repetition": 1, "outcome": "pass"}
              ]
            },
            {
              "id": "DNLD-12",
              "title": "Never resumed twice",
              "status": "notRun",
              "scenarios": []
            },
            {
              "id": "EVNT-02",
              "title": "Order of events",
              "status": "failed",
              "scenarios": [
                {"scenario": "order/body", "repetition": 1, "outcome": "fail"},
                {"scenario": "order/redirect", "repetition": 1, "outcome": "pass"}
              ]
            },
            {
              "id": "REDR-01",
              "title": null,
              "status": "proved",
              "scenarios": [
                {"scenario": "order/redirect", "repetition": 1, "outcome": "pass"}
              ]
            },
            {
              "id": "TLS-04",
              "title": null,
              "status": "unsupported",
              "scenarios": [
                {"scenario": "tls/version-limits", "repetition": 1, "outcome": "unsupported"}
              ]
            }
          ],
          "runs": [
            {
              "scenario": "resume/weak-validator",
              "file": "Scenarios/resume/weak-validator.yaml",
              "title": "A weak validator is not resumed from",
              "area": "resume",
              "proves": ["DNLD-11"],
              "tags": [],
              "adapter": "foundation",
              "engine": "kernel",
              "seed": "7",
              "repetition": 1,
              "seconds": 0.812,
              "outcome": "pass",
              "asExpected": true,
              "conditions": [
                {
                  "interface": "wifi",
                  "direction": "downlink",
                  "asked": "30.0Mbit/s, delay 10 ms",
                  "probe": {
                    "packets": 20,
                    "lost": 0,
                    "delayMinimum": 10040000,
                    "delayMedian": 10110000,
                    "delayMaximum": 10900000,
                    "bitsPerSecond": 29800000,
                    "lateness": 80000
                  },
                  "traffic": null
                }
              ],
              "record": "out/resume/weak-validator.jsonl",
              "capture": null
            },
            {
              "scenario": "resume/reset-at-byte",
              "file": "Scenarios/resume/reset-at-byte.yaml",
              "title": "A download reset at byte 65,536 resumes from the bytes it holds",
              "area": "resume",
              "proves": ["DNLD-9", "DNLD-10"],
              "tags": [],
              "adapter": "foundation",
              "engine": "kernel",
              "seed": "7",
              "repetition": 1,
              "seconds": 1.240,
              "outcome": "fail",
              "asExpected": false,
              "kind": "wrong",
              "mismatches": [
                {
                  "check": "resumeOffset",
                  "line": 23,
                  "expected": "second.didResumeAtOffset is 65536, as in Content-Range",
                  "found": "second.didResumeAtOffset is 0",
                  "evidence": [19, 20]
                },
                {
                  "check": "order",
                  "line": 25,
                  "expected": "second.didWriteData between didResumeAtOffset and didFinishDownloading",
                  "found": "no second.didWriteData",
                  "evidence": []
                }
              ],
              "conditions": [
                {
                  "interface": "wifi",
                  "direction": "downlink",
                  "asked": "30.0Mbit/s, delay 10 ms",
                  "probe": {
                    "packets": 20,
                    "lost": 0,
                    "delayMinimum": 10040000,
                    "delayMedian": 10110000,
                    "delayMaximum": 10900000,
                    "bitsPerSecond": 29800000,
                    "lateness": 80000
                  },
                  "traffic": null
                }
              ],
              "record": "out/resume/reset-at-byte.jsonl",
              "capture": null
            },
            {
              "scenario": "resume/reset-twice",
              "file": "Scenarios/resume/reset-twice.yaml",
              "title": "Two resets",
              "area": "resume",
              "proves": ["DNLD-10"],
              "tags": [],
              "adapter": "foundation",
              "engine": "kernel",
              "seed": "7",
              "repetition": 1,
              "seconds": 0.000,
              "outcome": "skipped",
              "asExpected": true,
              "dependsOn": "resume/reset-at-byte",
              "conditions": [],
              "record": null,
              "capture": null
            },
            {
              "scenario": "tls/version-limits",
              "file": "Scenarios/tls/version-limits.yaml",
              "title": "TLS 1.0 is refused",
              "area": "tls",
              "proves": ["TLS-04"],
              "tags": [],
              "adapter": "foundation",
              "engine": "kernel",
              "seed": "7",
              "repetition": 1,
              "seconds": 0.095,
              "outcome": "unsupported",
              "asExpected": true,
              "reason": "needs tlsVersionLimits",
              "conditions": [
                {
                  "interface": "wifi",
                  "direction": "downlink",
                  "asked": "30.0Mbit/s, delay 10 ms",
                  "probe": {
                    "packets": 20,
                    "lost": 0,
                    "delayMinimum": 10040000,
                    "delayMedian": 10110000,
                    "delayMaximum": 10900000,
                    "bitsPerSecond": 29800000,
                    "lateness": 80000
                  },
                  "traffic": null
                }
              ],
              "record": "out/tls/version-limits.jsonl",
              "capture": null
            },
            {
              "scenario": "order/body",
              "file": "Scenarios/order/body.yaml",
              "title": "Body bytes & \"quotes\"",
              "area": "order",
              "proves": ["EVNT-02"],
              "tags": [],
              "adapter": "foundation",
              "engine": "kernel",
              "seed": "7",
              "repetition": 1,
              "seconds": 2.005,
              "outcome": "fail",
              "asExpected": true,
              "baselineReason": "foundation#5191 <open>",
              "kind": "violation",
              "mismatches": [
                {
                  "check": "protocol",
                  "line": null,
                  "expected": "sequence numbers without gaps",
                  "found": "9 after 7:\n{\"event\": \"<]]>\u001b[31m\"}",
                  "evidence": [2]
                }
              ],
              "conditions": [
                {
                  "interface": "wifi",
                  "direction": "downlink",
                  "asked": "30.0Mbit/s, delay 10 ms",
                  "probe": {
                    "packets": 20,
                    "lost": 0,
                    "delayMinimum": 10040000,
                    "delayMedian": 10110000,
                    "delayMaximum": 10900000,
                    "bitsPerSecond": 29800000,
                    "lateness": 80000
                  },
                  "traffic": null
                }
              ],
              "record": "out/order/body.jsonl",
              "capture": null
            },
            {
              "scenario": "order/redirect",
              "file": "Scenarios/order/redirect.yaml",
              "title": "Redirects are reported first",
              "area": "order",
              "proves": ["EVNT-02", "REDR-01"],
              "tags": [],
              "adapter": "foundation",
              "engine": "kernel",
              "seed": "7",
              "repetition": 1,
              "seconds": 61.250,
              "outcome": "pass",
              "asExpected": false,
              "baselineReason": "seen once",
              "conditions": [
                {
                  "interface": "wifi",
                  "direction": "downlink",
                  "asked": "30.0Mbit/s, delay 10 ms",
                  "probe": {
                    "packets": 20,
                    "lost": 0,
                    "delayMinimum": 10040000,
                    "delayMedian": 10110000,
                    "delayMaximum": 10900000,
                    "bitsPerSecond": 29800000,
                    "lateness": 80000
                  },
                  "traffic": null
                }
              ],
              "record": "out/order/redirect.jsonl",
              "capture": null
            },
            {
              "scenario": "top",
              "file": "Scenarios/top.yaml",
              "title": "The machine breaks",
              "area": "scenarios",
              "proves": ["CONN-06"],
              "tags": [],
              "adapter": "foundation",
              "engine": "kernel",
              "seed": "7",
              "repetition": 1,
              "seconds": 0.030,
              "outcome": "error",
              "asExpected": false,
              "reason": "the lab could not be built: no /dev/net/tun",
              "conditions": [],
              "record": "out/top.jsonl",
              "capture": null
            }
          ]
        }
        """#
}
