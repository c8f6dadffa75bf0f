import { retryAfter } from '../../functions/core/alerts/attempt.ts'
import { SourceFailure } from '../../functions/core/ports/source-reader.ts'
import type { GitPlace, GitSource } from '../../functions/core/sources/git-place.ts'
import type { Dialer } from '../net/outbound.ts'
import { type OutboundAnswer, outboundRequest } from '../net/request.ts'
import { dialFailure } from './failures.ts'

/** Milliseconds. */
const timeout = 15_000

/**
 * Returns why git could not read a repository over https, from the status of one more request:
 * git itself only says that it failed. Returns undefined if the server answers as it should.
 */
export async function probe(
  place: GitPlace,
  source: GitSource,
  dialer: Dialer,
  signal: AbortSignal,
): Promise<unknown> {
  const url = new URL(`${place.url.replace(/\/+$/, '')}/info/refs?service=git-upload-pack`)
  try {
    const answer = await outboundRequest(dialer, {
      url,
      method: 'GET',
      headers: {
        'User-Agent': 'git/container-stacks',
        'Git-Protocol': 'version=2',
        ...signIn(source),
      },
      timeout,
      largest: 1024,
      signal,
      ca: source.certificateAuthority,
    })
    return answerFailure(url, answer)
  } catch (error) {
    return dialFailure(url.host, error, signal)
  }
}

/** Returns the header that signs in. */
export function signIn({ account }: GitSource): Record<string, string> {
  if (!account) return {}
  const pair = Buffer.from(`${account.username}:${account.password}`).toString('base64')
  return { Authorization: `Basic ${pair}` }
}

function answerFailure(url: URL, { status, headers }: OutboundAnswer): SourceFailure | undefined {
  const fail = (problem: SourceFailure['problem'], words: string) =>
    new SourceFailure(problem, `${url.host} ${words}`)
  if (status >= 300 && status < 400) {
    return fail('not-allowed', `redirects to ${newAddress(url, headers.location)}`)
  }
  if (status === 401 || status === 403) {
    return fail('denied', 'does not accept the account of the source for this repository')
  }
  if (status === 404 || status === 410) {
    return fail('denied', 'has no such repository, or hides it from the account of the source')
  }
  if (status === 429 || status === 503) {
    const milliseconds = retryAfter(headers['retry-after'], Date.now())
    return new SourceFailure('limited', `${url.host} takes no requests for now (${status})`, {
      retryAfter: milliseconds === null ? undefined : milliseconds / 1000,
    })
  }
  if (status >= 500) return fail('unreachable', `failed (${status})`)
  if (status !== 200) return fail('malformed', `responds with ${status}, not like a git server`)
  const type = String(headers['content-type'] ?? '')
  return type.startsWith('application/x-git-upload-pack-advertisement')
    ? undefined
    : fail('malformed', 'does not respond like a git server: check the URL of the source')
}

/** Returns the address of a redirect for people, without what may be secret in it. */
function newAddress(from: URL, location: unknown): string {
  const to =
    typeof location === 'string' && URL.canParse(location, from.href)
      ? new URL(location, from)
      : undefined
  if (!to) return 'another address, which is not followed: enter the new one as the URL'
  const path = to.pathname.replace(/\/info\/refs$/, '')
  const shown = `${to.protocol}//${to.host}${path}`.slice(0, 200)
  return `${JSON.stringify(shown)}, which is not followed: if you trust it, enter it as the URL of the source`
}
