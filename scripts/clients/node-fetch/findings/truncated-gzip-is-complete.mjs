// A gzip body that ends in the middle is delivered as if it were complete.
//
// RFC 9110 §8.4.1.3: the "gzip" coding is the format of RFC 1952, whose members end with CRC32 and ISIZE (RFC 1952 §2.3). Content without them is
// damaged; the caller receives a part of the content and no error.
//
// Exit status 1 while the defect is there. Needs only Node.
import {createServer} from 'node:net'
import {randomBytes} from 'node:crypto'
import {gzipSync} from 'node:zlib'

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

const coded = gzipSync(randomBytes(100_000)).subarray(0, 50_000)
const {url} = await serve(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${coded.length}\r\n\r\n`), coded]))
const got = await fetch(url).then(response => response.arrayBuffer()).then(bytes => `${bytes.byteLength} of 100000 bytes and no error`, error => error)
const isRight = got instanceof Error
const about = `Node ${process.versions.node}, undici ${process.versions.undici}`
console.log(`${about}: ${got}`)
process.exit(isRight ? 0 : 1)
