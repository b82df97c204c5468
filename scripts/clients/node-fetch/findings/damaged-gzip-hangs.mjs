// Reading a gzip body with a wrong checksum never ends.
//
// RFC 9110 §8.4.1.3 and RFC 1952 §2.3.1: CRC32 is part of the coding; damaged content must be an error of the read, not a wait without end.
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

const coded = gzipSync(randomBytes(100_000))
coded[coded.length - 8] ^= 1
const {url} = await serve(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${coded.length}\r\n\r\n`), coded]))
const limit = new Promise(resolve => setTimeout(resolve, 5000, 'no end after 5 s'))
async function load() {
  let length = 0
  for await (const piece of (await fetch(url)).body) length += piece.length
  return length
}
const got = await Promise.race([limit, load().catch(error => error)])
const isRight = got instanceof Error
const about = `Node ${process.versions.node}, undici ${process.versions.undici}`
console.log(`${about}: ${got}`)
process.exit(isRight ? 0 : 1)
