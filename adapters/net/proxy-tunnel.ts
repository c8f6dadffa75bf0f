import http from 'node:http'
import https from 'node:https'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** Milliseconds for connecting to a proxy, and for its answer. */
const usualTimeout = 10_000

/**
 * The configured proxy does not let a request through. The message names the proxy without its
 * password, and is meant for the user who configured the destination.
 */
export class ProxyFailed extends Error {
  override name = 'ProxyFailed'
  readonly code = 'PROXY_FAILED'

  constructor(proxy: URL, why: string, options?: ErrorOptions) {
    super(`the proxy ${proxy.host} ${why}`, options)
  }
}

/**
 * Returns a socket to `authority` (`host:port`), which the proxy connected by CONNECT (RFC 9110,
 * section 9.3.6).
 *
 * @throws ProxyFailed if the proxy cannot be reached, refuses, or does not answer in time
 */
export function openTunnel(proxy: URL, authority: string, timeout = usualTimeout): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (why: string, cause?: unknown) => reject(new ProxyFailed(proxy, why, { cause }))
    const call = (proxy.protocol === 'https:' ? https : http).request(proxy, {
      method: 'CONNECT',
      path: authority,
      headers: { Host: authority, ...proxyCredentials(proxy) },
      // The credentials go into their own header.
      auth: undefined,
      agent: false,
      maxHeaderSize: 16 * 1024,
    })
    const timer = setTimeout(() => {
      fail(noAnswer(timeout))
      call.destroy()
    }, timeout)
    call.once('close', () => clearTimeout(timer))
    call.on('error', (cause) => fail(wordsFor(cause), cause))
    call.once('connect', ({ statusCode }, socket: Socket, first) => {
      clearTimeout(timer)
      if (statusCode === 200) {
        if (first.length > 0) socket.unshift(first)
        return resolve(socket)
      }
      socket.destroy()
      fail(refusalWords(statusCode))
    })
    call.end()
  })
}

/**
 * Returns a socket to the proxy itself, for requests whose target is a whole URL (RFC 9112, section
 * 3.2.2).
 *
 * @throws ProxyFailed if the proxy cannot be reached in time
 */
export function openToProxy(proxy: URL, timeout = usualTimeout): Promise<Socket> {
  const host = proxy.hostname.replace(/^\[(.*)\]$/, '$1')
  const isTls = proxy.protocol === 'https:'
  const port = Number(proxy.port || (isTls ? 443 : 80))
  return new Promise((resolve, reject) => {
    const socket = isTls ? connectTls({ host, port, servername: host }) : connect({ host, port })
    const timer = setTimeout(() => {
      socket.destroy(new ProxyFailed(proxy, noAnswer(timeout)))
    }, timeout)
    socket.once('close', () => clearTimeout(timer))
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer)
      resolve(socket)
    })
    // Never removed: the connection can be reset before the request uses it.
    socket.on('error', (cause) => {
      const known = cause instanceof ProxyFailed
      reject(known ? cause : new ProxyFailed(proxy, wordsFor(cause), { cause }))
    })
  })
}

/** Returns the header with the user name and password of the proxy, if it has some. */
export function proxyCredentials({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'Proxy-Authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}

const noAnswer = (timeout: number) => `does not answer within ${timeout / 1000} s`

const wordsFor = (error: unknown) => {
  const { code } = error as { code?: unknown }
  return `cannot be reached${typeof code === 'string' ? ` (${code})` : ''}`
}

const refusalWords = (status: number | undefined) =>
  status === 407
    ? 'asks for a user name and a password'
    : `refuses the connection (it responds with ${status})`
