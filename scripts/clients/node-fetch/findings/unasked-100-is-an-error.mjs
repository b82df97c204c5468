// fetch fails when a 100 response comes that the request did not ask for.
//
// RFC 9110 §15.2: "A client MUST be able to parse one or more 1xx responses received prior to a final response, even if the client does not
// expect one. A user agent MAY ignore unexpected 1xx responses."
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

const {url} = await serve('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
const got = await fetch(url).then(response => response.text(), error => `${error}: ${error.cause}`)
const isRight = got === 'ok'
const about = `Node ${process.versions.node}, undici ${process.versions.undici}`
console.log(`${about}: ${got}`)
process.exit(isRight ? 0 : 1)
