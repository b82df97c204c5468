// A response of HTTP/1.2 is refused.
//
// RFC 9110 §6.2: "A recipient that receives a message with a major version number that it implements and a minor version number higher than what
// it implements SHOULD process the message as if it were in the highest minor version within that major version to which the recipient is
// conformant."
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

const {url} = await serve('HTTP/1.2 200 OK\r\nContent-Length: 2\r\n\r\nok')
const got = await fetch(url).then(response => response.text(), error => `${error}: ${error.cause}`)
const isRight = got === 'ok'
const about = `Node ${process.versions.node}, undici ${process.versions.undici}`
console.log(`${about}: ${got}`)
process.exit(isRight ? 0 : 1)
