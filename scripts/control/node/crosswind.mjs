// Changes the simulated network of the Crosswind lab that this program runs in; see PROTOCOL.md of Crosswind.
//
//     import { test } from 'node:test'
//     import { onNetwork } from './crosswind.mjs'
//
//     test('sync survives a dead spot', onNetwork('flaky-wifi', async (network) => {
//       await network.after({ wifi: 'down' }, { packet: 20 })
//       ...
//     }))
//
// Run the tests with `crosswind exec -- node --test --test-concurrency=1`: one lab has one network.
import net from 'node:net'

const VARIABLE = 'CROSSWIND_CONTROL'
const VERSION = 1

/** A request to the lab failed. */
export class LabError extends Error {}
/** The lab refused the request; the message has the reason. */
export class Refused extends LabError {}

/** One interface of the lab. */
class Interface {
  #network
  constructor(network, kind) { this.#network = network; this.kind = kind }
  down() { return this.set('down') }
  up() { return this.set('up') }
  /** Sets a state or a profile, or an object with effects: `{ profile: 'lte', both: { loss: '2%' } }`. */
  set(change) { return this.#network.set({ [this.kind]: change }) }
  flap({ times, downFor, upFor }) { return this.set({ flapping: { times, downFor, upFor } }) }
}

/** The network of one lab. */
export class Network {
  #path
  #start = 0
  #times = [0, 0]

  constructor(path) {
    this.#path = path
    for (const kind of ['wifi', 'cellular', 'wired', 'vpn']) this[kind] = new Interface(this, kind)
  }

  /** The network of the lab around this program; null outside a lab. */
  static current() {
    const path = process.env[VARIABLE]
    return path ? new Network(path) : null
  }

  /** Sends one request of the protocol and returns the reply. */
  ask(request, { timeout = 60_000 } = {}) {
    return new Promise((resolve, reject) => {
      const socket = net.connect({ path: this.#path })
      const parts = []
      const fail = (reason) => { socket.destroy(); reject(reason instanceof LabError ? reason : new LabError(reason)) }
      socket.setTimeout(timeout, () => fail(`the lab did not reply within ${timeout} ms`))
      socket.on('error', (error) => fail(`cannot reach the lab at ${this.#path}: ${error.message}`))
      socket.on('end', () => fail('the lab closed the connection without a reply; it may have ended'))
      socket.on('connect', () => socket.write(JSON.stringify({ v: VERSION, ...request }) + '\n'))
      socket.on('data', (data) => {
        parts.push(data)
        if (data.at(-1) !== 10) return
        socket.destroy()
        let reply
        try { reply = JSON.parse(Buffer.concat(parts).toString()) } catch { return fail('the reply of the lab is not JSON') }
        if (reply?.v !== VERSION) return fail(`the lab does not use version ${VERSION} of the control protocol; use matching versions`)
        if (reply.refused !== undefined) return reject(new Refused(reply.refused))
        resolve(reply)
      })
    })
  }

  async describe() { return (await this.ask({ do: 'describe' })).lab }
  /** Makes changes, in the words of `set:` in scenarios. Resolves when they are in force. */
  async set(change) { return (await this.ask({ do: 'set', change })).done }
  /** Makes the network IPv6 only, with NAT64 and DNS64, or ends that. */
  nat64(on = true) { return this.set({ nat64: on }) }
  /** Sets the reply to a name: origin, nxdomain, servfail, silent or a list of addresses. */
  dns(host, reply, { delay } = {}) { return this.set({ dns: { [host]: delay ? { reply, delay } : reply } }) }
  /** Replaces the faults of the lab's origin; an empty list removes them. */
  async faults(faults) { return (await this.ask({ do: 'faults', faults })).done }
  /** Makes a change at a moment, counted from now: `after({ wifi: 'down' }, { packet: 20 })`. */
  async after(change, when) { return (await this.ask({ do: 'after', when: this.#moment(when), change })).done }
  /** Waits for a moment, counted from now. */
  async wait(when, options) { await this.ask({ do: 'after', when: this.#moment(when), wait: true }, options) }

  #moment({ delay, ...when }) { return delay ? { ...when, after: delay } : when }

  async #seen(after) { return (await this.ask({ do: 'seen', after })).seen }
  /** Makes `requests`, `queries` and `changes` begin here. */
  async begin() {
    const seen = await this.#seen(Number.MAX_SAFE_INTEGER)
    this.#start = seen.requestCount
    this.#times = [seen.queries, seen.changes].map((entries) => Math.max(-1, ...entries.map((entry) => entry.time)) + 1)
  }
  /** The requests that the lab's origin received since `begin`, or since the start. */
  async requests() { return (await this.#seen(this.#start)).requests }
  async queries() { return (await this.#seen(Number.MAX_SAFE_INTEGER)).queries.filter((entry) => entry.time >= this.#times[0]) }
  async changes() { return (await this.#seen(Number.MAX_SAFE_INTEGER)).changes.filter((entry) => entry.time >= this.#times[1]) }
  /** Restores the network, the names and the faults of the lab's start. */
  async reset() { return (await this.ask({ do: 'reset' })).done }
}

/**
 * Returns a test function for node:test that applies a profile to the first interface, passes the network to `body`, and
 * restores it. Outside a lab the test is skipped with the reason. `profile` may be null.
 */
export function onNetwork(profile, body) {
  return async (context) => {
    const network = Network.current()
    if (!network) return context.skip(`needs a lab (${VARIABLE} is not set); run the tests under \`crosswind exec -- ...\``)
    await network.reset()
    try {
      if (profile) await network[(await network.describe()).interfaces[0]].set(profile)
      await network.begin()
      await body(network, context)
    } finally {
      await network.reset()
    }
  }
}
