import { lookup } from 'node:dns/promises'
import { BlockList } from 'node:net'
import type { Target } from '../api/http.ts'
import { accept } from '../api/read-response.ts'
import { request } from '../api/request.ts'
import { CliFailure, failed, hasCode, wrongUsage } from '../failure.ts'
import type { Io } from '../io.ts'
import { answersYes } from '../prompt.ts'
import { isExposed, serverUrl } from './server-url.ts'

/** A server that does not respond in this time is not there. Milliseconds. */
const timeout = 10_000

/**
 * Returns the URL of a server that is named without a scheme, such as `nas:8080`: https if that
 * works, else http on a private address, if the user agrees to send credentials unencrypted. Sends
 * none itself. Throws a `CliFailure` if there is no such server, or if its certificate is not
 * trusted: that is no reason for http.
 */
export async function findServer(named: string, insecure: boolean, io: Io): Promise<string> {
  const secure = serverUrl(`https://${named}`)
  const plain = serverUrl(`http://${named}`)
  try {
    await greet({ server: secure, insecure })
    return secure
  } catch (error) {
    if (!isWithoutTls(error) || !(await isPrivate(plain))) throw error
    await greet({ server: plain, insecure }).catch(() => {
      throw error
    })
  }
  if (isExposed(plain)) await agree(secure, plain, io)
  return plain
}

/** Throws a `CliFailure` if this is not the service. */
async function greet(target: Target): Promise<void> {
  accept(await request(target, 'GET', '/health', { timeout }), target)
}

/** Returns whether nothing speaks TLS there, as behind a port for http. */
const isWithoutTls = (error: unknown) =>
  error instanceof CliFailure &&
  hasCode(error.cause, 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPROTO', wrongVersion)

const wrongVersion = 'ERR_SSL_WRONG_VERSION_NUMBER'

async function agree(secure: string, plain: string, io: Io): Promise<void> {
  const fact = `${secure} does not respond, ${plain} does, which sends credentials unencrypted`
  if (!io.stdin.isTTY) throw wrongUsage(fact, `to use it: cli login ${plain}`)
  if (!(await answersYes(io, `${fact}. Use it?`))) throw failed('cancelled: nothing was done')
}

const privateAddresses = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  privateAddresses.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateAddresses.addSubnet(network, prefix, 'ipv6')

/** Returns whether every address of a server is one of a private network, or of this machine. */
export async function isPrivate(server: string): Promise<boolean> {
  const host = new URL(server).hostname.replace(/^\[(.*)\]$/, '$1')
  const found = await lookup(host, { all: true })
  return found.every(({ address, family }) =>
    privateAddresses.check(address, family === 6 ? 'ipv6' : 'ipv4'),
  )
}
