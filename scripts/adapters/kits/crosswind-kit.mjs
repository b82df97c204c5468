// The Crosswind adapter kit for Node: lines, numbers, clock, flush, and the order of a task's events.
//
// Call run({name, version, capabilities, reports, makeSession, makeTask, load, classify}). `load(session, task)` runs at `resume`:
// it calls the client under test and reports to the task what arrives. When its promise resolves the task is complete; when it
// rejects, the task fails with the error that `classify` returns. `task.signal` aborts when the task is cancelled.
import {readFileSync, writeSync} from 'node:fs'
import {createInterface} from 'node:readline'

const version = 2, piece = 64 * 1024, longest = 4 * 1024 * 1024  // a line of didReceiveData carries at most `longest` bytes
// The URL error code that stands for each class, for checks that compare codes.
export const codes = {offline: -1009, nameResolution: -1003, refused: -1004, lost: -1005, truncated: -1005, timedOut: -1001,
  tlsRejected: -1200, malformedResponse: -1017, cancelled: -999, other: -1}

// Integers beyond 2^53 are kept as BigInt, in both directions.
const parse = text => JSON.parse(
  text.replace(/("(?:[^"\\]|\\.)*")|(-?\d{16,})(?![\d.eE])/g, (_, string, number) => string ?? `"\\u0000${number}"`),
  (_, value) => typeof value === 'string' && /^\0-?\d+$/.test(value) ? BigInt(value.slice(1)) : value)
export const format = value => JSON.stringify(value, (_, value) => typeof value === 'bigint' ? `\0${value}` : value)
  .replace(/"\\u0000(-?\d+)"/g, '$1')

export class Unsupported extends Error {}  // thrown by makeSession and makeTask for what the client cannot be asked for

// An error with its class and, if it is more exact than the class, its URL error code.
export class Failure extends Error {
  constructor(kind, text, code = codes[kind]) { super(text); Object.assign(this, {kind, code}) }
}

// Writes a whole line before it returns; a full pipe is waited for, since standard output may not block.
function write(line) {
  const bytes = Buffer.from(line + '\n')
  for (let offset = 0; offset < bytes.length;) {
    try { offset += writeSync(1, bytes, offset) } catch (error) {
      if (error.code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}

let sequence = 0
export function emit(event, fields = {}, data) {
  const bytes = data && {length: data.length, base64: Buffer.from(data.buffer, data.byteOffset, data.length).toString('base64')}
  write(format({v: version, seq: ++sequence, time: process.hrtime.bigint(), event, ...fields, ...bytes}))
}

export class Task {
  #controller = new AbortController()
  #pieces
  #received = 0
  state = 'suspended'
  constructor(description) {
    this.description = description
    const {task, url, kind, delivery, headers = [], method = kind === 'upload' ? 'POST' : 'GET'} = description
    Object.assign(this, {name: task, url, method, headers, isDownload: kind === 'download', hasHandler: delivery === 'completionHandler'})
  }
  get signal() { return this.#controller.signal }
  // The request's bytes, or undefined for a request without a body.
  get body() {
    const body = this.description.body
    return body && (body.path ? readFileSync(body.path) : Buffer.from(body.base64, 'base64'))
  }
  report(event, fields, data) { if (this.state !== 'completed') emit(event, {task: this.name, ...fields}, data) }
  redirect(status, url, method) { this.report('willPerformRedirect', {status, url, method}) }
  // Reports the head. The load must end if this returns false; the task is then cancelled.
  response(status, url, headers, expectedLength = -1) {
    this.head = {status, url, headers, expectedLength}
    if (this.isDownload || this.hasHandler) this.#pieces = []
    else this.report('didReceiveResponse', this.head)
    if (!this.hasHandler && this.description.response === 'cancel') this.#controller.abort()
    return !this.signal.aborted
  }
  // Reports bytes of the body; for a download or a completion handler they are kept until the end.
  data(bytes) {
    this.#received += bytes.length
    if (!this.#pieces) {
      for (let start = 0; start < bytes.length; start += longest) this.report('didReceiveData', {}, bytes.subarray(start, start + longest))
      return
    }
    this.#pieces.push(bytes)
    if (this.isDownload && !this.hasHandler) {
      this.report('didWriteData', {written: bytes.length, totalWritten: this.#received, expected: this.head.expectedLength})
    }
  }
  cancel() {
    if (this.state === 'completed') return
    this.#controller.abort()
    if (this.state === 'suspended') this.complete(new Failure('cancelled', 'cancelled'))
  }
  complete(failure) {
    if (this.state === 'completed') return
    const end = {}
    if (failure) end.error = {domain: 'NSURLErrorDomain', code: failure.code, class: failure.kind, text: failure.message}
    else this.#handOver()
    if (this.hasHandler && !failure) end.response = this.head
    this.report(this.hasHandler ? 'completionHandler' : 'didComplete', end)
    this.state = 'completed'
  }
  #handOver() {
    if (!this.#pieces) return
    const content = Buffer.concat(this.#pieces)
    for (let offset = 0; offset < content.length; offset += piece) {
      const bytes = content.subarray(offset, offset + piece)
      if (this.isDownload) this.report('fileContent', {offset}, bytes)
      else this.report('didReceiveData', {}, bytes)
    }
    if (this.isDownload && !this.hasHandler) this.report('didFinishDownloading', {length: content.length})
  }
}

export function run(client) {
  const {capabilities, reports, makeSession = c => c, makeTask = () => {}, load, classify} = client
  const offered = new Set(capabilities.split(/\s+/)), sessions = {}, tasks = {}
  const commands = {
    hello: c => emit('hello', {
      implementation: {name: client.name, version: client.version, language: 'JavaScript'},
      capabilities: Object.fromEntries(c.capabilities.map(name => [name, offered.has(name)])),
      ...(reports && {reports: reports.split(/\s+/)})}),
    makeSession: c => { sessions[c.session] = makeSession(c.configuration) },
    makeTask: c => {
      if (!['data', 'upload', 'download'].includes(c.kind)) throw new Unsupported(`tasks of the kind ${c.kind}`)
      const task = new Task(c)
      makeTask(sessions[c.session], task)
      tasks[c.task] = Object.assign(task, {session: sessions[c.session]})
    },
    resume: async c => {
      const task = tasks[c.task]
      if (task.state !== 'suspended') return
      task.state = 'running'
      let failure
      try { await load(task.session, task) } catch (error) { failure = error instanceof Failure ? error : classify(error) }
      task.complete(task.signal.aborted ? new Failure('cancelled', 'cancelled') : failure)
    },
    cancel: offered.has('cancel') ? c => tasks[c.task].cancel() : undefined,
    end: () => process.exit(0),
  }
  const input = createInterface({input: process.stdin})
  let isDeclined = false  // `unsupported` ends the run; later commands would only fail
  input.on('line', async line => {
    const c = parse(line)
    if (c.v !== version) {
      console.error(`this adapter supports version ${version} of the protocol, not ${c.v}`)
      process.exit(1)
    }
    if (isDeclined && c.command !== 'end') return
    try {
      if (!commands[c.command]) throw new Unsupported(`the command ${c.command}`)
      await commands[c.command](c)
    } catch (error) {
      if (error instanceof Unsupported) {
        isDeclined = true
        emit('unsupported', {feature: error.message})
      } else emit('adapterFailed', {message: `${c.command}: ${error}`})
    }
  })
  input.on('close', () => process.exit(0))  // end of input; tasks may still run
}
