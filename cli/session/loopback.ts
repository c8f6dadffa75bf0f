import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { failed, interrupted } from '../failure.ts'
import { clean } from '../output/text.ts'

/**
 * A port of this machine that waits for a browser to return with a code (RFC 8252, section 7.3).
 */
export interface Loopback {
  /** The redirect address for the browser. */
  redirectUri: string
  /** The code. Rejects with a `CliFailure` if the sign-in is refused, or not finished in time. */
  code: Promise<string>
  /** Rejects `code` as interrupted. */
  interrupt(): void
  close(): void
}

/**
 * Opens the port. Requests without the state are answered with 404 and otherwise ignored.
 * `timeout` is in milliseconds.
 */
export async function openLoopback(state: string, timeout: number): Promise<Loopback> {
  let settle = { done: (_code: string) => {}, fail: (_error: Error) => {} }
  const code = new Promise<string>((done, fail) => {
    settle = { done, fail }
  })
  code.catch(() => {})
  const server = createServer((request, response) => {
    const query = queryOf(request, state)
    const given = query?.get('code')
    const refusal = query?.get('error_description') ?? query?.get('error')
    if (given) answer(response, 200, 'You are signed in. You can close this page.')
    else if (refusal) answer(response, 200, 'The sign-in was refused: see the terminal.')
    else answer(response, 404, 'Page not found.')
    if (given) settle.done(given)
    else if (refusal) settle.fail(failed(`the sign-in was refused: ${clean(refusal)}`))
  })
  await new Promise<void>((done, fail) => {
    // Stays registered: a later error means that one connection could not be accepted.
    server.on('error', fail)
    server.listen(0, '127.0.0.1', done)
  })
  const late = () => settle.fail(failed('the sign-in timed out'))
  const timer = setTimeout(late, timeout)
  const { port } = server.address() as AddressInfo
  return {
    redirectUri: `http://127.0.0.1:${port}/callback?state=${state}`,
    code,
    interrupt: () => settle.fail(interrupted()),
    close() {
      clearTimeout(timer)
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Returns the query of a callback that has the right state. */
function queryOf({ method, url = '' }: IncomingMessage, state: string) {
  const target = URL.canParse(url, 'http://127.0.0.1')
    ? new URL(url, 'http://127.0.0.1')
    : undefined
  if (method !== 'GET' || target?.pathname !== '/callback') return undefined
  const given = Buffer.from(target.searchParams.get('state') ?? '')
  const expected = Buffer.from(state)
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected)
  return isOurs ? target.searchParams : undefined
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  })
  response.end(`${text}\n`)
}
