// fetch takes a body that ends without close_notify for complete, although only the end of the connection delimits it.
//
// RFC 9112 §8: "A response that has neither chunked transfer coding nor Content-Length is terminated by closure of the connection and, if the header
// section was received intact, is considered complete unless an error was indicated by the underlying connection (e.g., an "incomplete close" in
// TLS would leave the response incomplete, as described in Section 9.8)."
//
// Exit status 1 while the defect is there. Needs Node and the program openssl.
import {execFileSync} from 'node:child_process'
import {mkdtempSync, readFileSync} from 'node:fs'
import {createServer} from 'node:net'
import {TLSSocket} from 'node:tls'

const folder = mkdtempSync('/tmp/incomplete-tls-close-')
execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', `${folder}/key`, '-out', `${folder}/certificate`,
  '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'], {stdio: 'ignore'})
const key = readFileSync(`${folder}/key`), cert = readFileSync(`${folder}/certificate`)

const server = createServer(connection => {
  const secure = new TLSSocket(connection, {isServer: true, key, cert})
  secure.on('error', () => {})
  secure.once('data', () => {
    // FIN after the data, without the alert that secure.end() would send.
    secure.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n' + 'x'.repeat(1000), () => connection.end())
  })
})
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))

// Only this process: the certificate is its own authority.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
process.removeAllListeners('warning')
const got = await fetch(`https://localhost:${server.address().port}/`).then(response => response.text()).then(text => text.length, error => error)
const isError = got instanceof Error
console.log(`Node ${process.versions.node}, undici ${process.versions.undici}: ${isError ? `${got}: ${got.cause}` : `${got} bytes and no error`}`)
process.exit(isError ? 0 : 1)
