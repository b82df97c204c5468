// fetch fails when a request with a Buffer or Uint8Array as its body is redirected with 307; a string or a Blob is sent again.
//
// RFC 9110 §15.4.8: "the user agent MUST NOT change the request method if it performs an automatic redirection to that URI"; the Fetch standard's
// HTTP-redirect fetch repeats the body from its source. Here the buffer was detached by the first request.
//
// Exit status 1 while the defect is there. Needs only Node.
import {createServer} from 'node:net'

// Each request gets the next response.
function serve(...responses) {
  const requests = []
  return new Promise(resolve => {
    const server = createServer(socket => {
      let text = Buffer.alloc(0)
      socket.on('error', () => {})
      socket.on('data', data => {
        text = Buffer.concat([text, data])
        const end = text.indexOf('\r\n\r\n'), length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
        if (end < 0 || text.length < end + 4 + length) return
        requests.push(text.toString('latin1'))
        text = Buffer.alloc(0)
        socket.write(responses.shift() ?? '')
      })
    })
    server.listen(0, '127.0.0.1', () => resolve({url: `http://127.0.0.1:${server.address().port}/`, requests}))
  })
}

const {url, requests} = await serve('HTTP/1.1 307 Temporary Redirect\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
const got = await fetch(url, {method: 'POST', body: Buffer.from('a=1')}).then(response => response.text(), error => `${error}: ${error.cause}`)
const isRight = got === 'ok' && requests[1].endsWith('a=1')
const about = `Node ${process.versions.node}, undici ${process.versions.undici}`
console.log(`${about}: ${got}`)
process.exit(isRight ? 0 : 1)
