// Crosswind adapter for Node's fetch (undici): response.body is read as a stream.
import {Failure, run, Unsupported} from '../../adapters/kits/crosswind-kit.mjs'

// undici's error is the cause of fetch's TypeError.
const classes = {
  ENOTFOUND: 'nameResolution', EAI_AGAIN: 'nameResolution', ECONNREFUSED: 'refused', EHOSTUNREACH: 'refused', ENETUNREACH: 'offline',
  ECONNRESET: 'lost', EPIPE: 'lost', UND_ERR_SOCKET: 'lost', UND_ERR_CONNECT_TIMEOUT: 'timedOut', UND_ERR_HEADERS_TIMEOUT: 'timedOut',
  UND_ERR_BODY_TIMEOUT: 'timedOut', ETIMEDOUT: 'timedOut', UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'truncated',
}

run({
  name: 'fetch (undici)', version: `${process.versions.node} (${process.versions.undici})`,
  capabilities: 'data upload download delegate completionHandler tls cancel followRedirects redirectDecision responseDisposition downloadProgress ' +
    'contentDecoding connectionReuse incrementalData',
  reports: 'didReceiveResponse didReceiveData didWriteData fileContent didFinishDownloading didComplete completionHandler',
  makeTask(session, task) {
    if (task.description.redirect === 'to') throw new Unsupported('another target for a redirect')
    if (task.description.challenges?.some(c => c.decision === 'credential')) throw new Unsupported('credentials')
  },
  async load(session, task) {
    const response = await fetch(task.url, {
      method: task.method, headers: task.headers, body: task.body, signal: task.signal,
      redirect: task.description.redirect === 'refuse' ? 'manual' : 'follow'})
    const length = response.headers.get('content-length')
    if (!task.response(response.status, response.url, [...response.headers], /^\d+$/.test(length) ? Number(length) : -1)) return
    for await (const bytes of response.body ?? []) task.data(bytes)
  },
  classify(error) {
    const cause = error.cause ?? error, text = `${error}: ${cause.code ?? ''} ${cause}`
    if (classes[cause.code]) return new Failure(classes[cause.code], text)
    if (/^HPE_/.test(cause.code)) return new Failure('malformedResponse', text)
    if (/CERT|^ERR_SSL|^ERR_TLS|SELF_SIGNED|UNABLE_TO/.test(cause.code)) return new Failure('tlsRejected', text)
    if (/^Z_/.test(cause.code) || /^ERR__ERROR_FORMAT/.test(cause.code)) return new Failure('malformedResponse', text)
    if (/redirect count exceeded/.test(cause)) return new Failure('other', text, -1007)
    if (/unknown scheme/.test(cause)) return new Failure('other', text, -1002)
    if (cause.code === 'ERR_INVALID_URL') return new Failure('other', text, -1000)
    return new Failure('other', text)
  },
})
