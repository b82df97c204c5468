// An adapter whose client works without a network: it responds with the request's body. scripts/adapters/kits/check compares its lines.
import {emit, Failure, format, run} from '../crosswind-kit.mjs'

run({
  name: 'echo', version: '1',
  capabilities: 'data upload download delegate completionHandler cancel responseDisposition',
  reports: 'didReceiveResponse didReceiveData didComplete',
  makeSession(configuration) {
    emit('log', {text: format(configuration)})
    return configuration
  },
  async load(session, task) {
    emit('log', {text: format(task.description)})
    const path = task.url.split('echo.test').at(-1)
    if (path === '/wait') await new Promise((_, reject) => { task.signal.onabort = () => reject(new Error('stopped')) })
    if (path.startsWith('/fail/')) throw new Failure(path.slice(6), 'as\nasked')
    if (path === '/redirect') task.redirect(302, task.url, 'GET')
    const body = task.body ?? Buffer.alloc(0)
    if (task.response(200, task.url, task.headers, body.length) && body.length) task.data(body)
  },
  classify: error => new Failure('other', `${error}`),
})
