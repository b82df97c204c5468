// A certificate for s*.example.test is accepted as one for shop.example.test.
//
// RFC 9525 §6.3: a presented identifier with a wildcard matches only if "The wildcard character appears only as the complete content of the left-most
// label". "If the requirements are not met, the presented identifier is invalid and MUST be ignored."
//
// Exit status 1 while the defect is there. Needs Node and the program openssl.
import {execFileSync} from 'node:child_process'
import {mkdtempSync, readFileSync} from 'node:fs'
import {connect, createServer} from 'node:tls'

const folder = mkdtempSync('/tmp/partial-wildcard-')
execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', `${folder}/key`, '-out', `${folder}/certificate`,
  '-subj', '/CN=test', '-addext', 'subjectAltName=DNS:s*.example.test'], {stdio: 'ignore'})
const key = readFileSync(`${folder}/key`), cert = readFileSync(`${folder}/certificate`)
const server = createServer({key, cert}, connection => connection.on('error', () => {}).end())
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))

// tls.checkServerIdentity decides here as it does for fetch.
const result = await new Promise(resolve => {
  const connection = connect({host: '127.0.0.1', port: server.address().port, servername: 'shop.example.test', ca: cert})
  connection.on('secureConnect', () => resolve('accepted')).on('error', resolve)
})
console.log(`Node ${process.versions.node}: ${result}`)
process.exit(result === 'accepted' ? 1 : result.code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? 0 : 2)
