// Sends every request of golden.txt through the library; scripts/control/test compares the lines.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LabError, Network, Refused, onNetwork } from './crosswind.mjs'

test('requests are those of the protocol', async () => {
  const network = Network.current()
  assert.equal((await network.describe()).engine, 'emulator')
  assert.deepEqual(await network.wifi.down(), ['wifi down'])
  await network.wifi.up()
  await network.cellular.set('edge')
  await network.wifi.set({ profile: 'lte', both: { loss: '2%' } })
  await network.wifi.flap({ times: 3, downFor: '1s', upFor: '2s' })
  await network.nat64()
  await network.dns('api.test', 'nxdomain')
  await network.dns('api.test', 'origin', { delay: '2s' })
  await network.after({ wifi: 'down' }, { packet: 20, on: 'wifi', direction: 'uplink' })
  await network.after({ wifi: 'down' }, { request: 1, delay: '100ms' })
  await network.after({ wifi: 'up' }, { sinceStart: '2s' })
  await network.after({ wifi: 'down' }, { responseSent: '1000B', request: 2 })
  await network.wait({ request: 1 })
  await network.faults([{ at: { responseBody: 1000 }, do: 'reset', for: { path: '/big', first: 1 } }])
  await network.ask({ do: 'seen', after: 7 })
  await network.reset()
})

test('failures have the reason', async () => {
  const network = Network.current()
  await assert.rejects(network.wifi.set('dwon'), (error) => error instanceof Refused && /did you mean/.test(error.message))
  await assert.rejects(network.wifi.set('version'), /version 1/)
  await assert.rejects(network.wifi.set('close'), /without a reply/)
  await assert.rejects(new Network('/nowhere').reset(), (error) => error instanceof LabError && /cannot reach/.test(error.message))
})

test('the history begins where it is asked to', async () => {
  const network = Network.current()
  assert.deepEqual((await network.changes()).map((change) => change.changes), [['wifi down']])
  assert.equal((await network.requests())[0].status, 206)
  await network.begin()
  assert.deepEqual(await network.changes(), [])
  assert.deepEqual(await network.queries(), [])
})

test('a profile is applied to one test and restored', async () => {
  const asked = []
  const ask = Network.prototype.ask
  Network.prototype.ask = function (request) { asked.push(request.do); return ask.call(this, request) }
  try {
    await assert.rejects(onNetwork('edge', async () => { throw new Error('a failed test') })({}), /a failed test/)
    assert.deepEqual(asked, ['reset', 'describe', 'set', 'seen', 'reset'])
  } finally {
    Network.prototype.ask = ask
  }
})

test('outside a lab the test is skipped', async () => {
  const path = process.env.CROSSWIND_CONTROL
  delete process.env.CROSSWIND_CONTROL
  let reason
  await onNetwork('edge', () => assert.fail('the body ran'))({ skip: (words) => { reason = words } })
  process.env.CROSSWIND_CONTROL = path
  assert.match(reason, /crosswind exec/)
})
