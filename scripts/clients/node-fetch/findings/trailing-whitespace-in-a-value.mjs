// The whitespace after a field value is kept.
//
// RFC 9112 §5.1: "The field line value does not include that leading or trailing whitespace: OWS occurring before the first non-whitespace octet
// of the field line value, or after the last non-whitespace octet of the field line value, is excluded by parsers when extracting the field line
// value from a field line."
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

const {url} = await serve('HTTP/1.1 200 OK\r\nX-Wide: \t 2 \t\r\nContent-Length: 2\r\n\r\nok')
const response = await fetch(url)
const got = JSON.stringify([...response.headers].find(([name]) => name === 'x-wide')[1])
const isRight = got === '"2"'
const about = `Node ${process.versions.node}, undici ${process.versions.undici}`
console.log(`${about}: ${got}`)
process.exit(isRight ? 0 : 1)
