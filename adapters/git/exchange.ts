import type { SourceFailure } from '../../functions/core/ports/source-reader.ts'
import type { GitPlace, GitSource } from '../../functions/core/sources/git-place.ts'
import type { Dialer } from '../net/outbound.ts'
import {
  dialFailure,
  isLocal,
  isUnadvertised,
  sayingFailure,
  tooManyObjects,
  unclear,
  unwritable,
} from './failures.ts'
import type { Meter } from './meter.ts'
import { probe, signIn } from './probe.ts'
import type { Repository } from './repository.ts'
import type { GitEnd, GitRun } from './run-git.ts'
import { openSshChannel } from './ssh-channel.ts'
import { openTunnel } from './tunnel.ts'

/** How one run of git reaches the server. */
export interface Exchange {
  run: Pick<GitRun, 'config' | 'files' | 'channel' | 'protocols'>
  /** Returns what the connection knows of a failure. */
  failure(): unknown
  close(): void
}

/** The server, as all runs of one look or fetch reach it. */
export interface Line {
  place: GitPlace
  source: GitSource
  dialer: Dialer
  meter: Meter
}

/** @throws SourceFailure if ssh does not get a connection; https dials when git asks for it */
export const openExchange = (line: Line, repository: Repository): Promise<Exchange> =>
  line.place.scheme === 'https' ? overHttps(line, repository) : overSsh(line)

/** The CA of a source replaces the authorities of the system: those of its directory, too. */
const onlyThis = (noAuthorities: string) => [
  `sslCAInfo = ${authorityPath}`,
  `sslCAPath = ${quoted(noAuthorities)}`,
]

/** Where the child finds the certificates that it trusts. */
const authorityPath = '/proc/self/fd/5'

async function overHttps(
  { place, source, dialer, meter }: Line,
  { noAuthorities }: Repository,
): Promise<Exchange> {
  const tunnel = await openTunnel(place, dialer, meter)
  const authority = source.certificateAuthority
  const headers = Object.entries(signIn(source)).map(([name, value]) => `${name}: ${value}`)
  const config = [
    ...remote(place.url),
    // It may leave objects out, and is asked for them by their IDs.
    ...['promisor = true', 'partialCloneFilter = blob:none'],
    '[http]',
    `proxy = ${quoted(tunnel.url)}`,
    ...headers.map((header) => `extraHeader = ${quoted(header)}`),
    // The time until the first byte is over with the TLS handshake.
    ...['lowSpeedLimit = 1', `lowSpeedTime = ${Math.ceil(meter.silence / 1000)}`],
    ...(authority === undefined ? [] : onlyThis(noAuthorities)),
  ]
  return {
    run: {
      config: config.join('\n'),
      files: authority === undefined ? [] : [authority],
      protocols: 'https',
    },
    failure: () => {
      const error = tunnel.failure()
      return error && dialFailure(`${place.host}:${place.port}`, error, meter.signal)
    },
    close: () => tunnel.close(),
  }
}

async function overSsh({ place, source, dialer, meter }: Line): Promise<Exchange> {
  const channel = await openSshChannel(place, source, dialer, meter)
  return {
    run: { config: remote(place.url).join('\n'), channel, protocols: 'fd' },
    failure: () => channel.failure(),
    close: () => channel.close(),
  }
}

const remote = (url: string) => ['[remote "origin"]', `url = ${quoted(url)}`, 'tagOpt = --no-tags']

const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

/** The server does not give a commit by its ID. */
export class Unadvertised extends Error {
  override name = 'Unadvertised'
}

/** The copy on the disk cannot be read or written: another one may be good. */
export class DamagedCopy extends Error {
  override name = 'DamagedCopy'
  /** What it means if the copy is new. */
  readonly failure: SourceFailure

  constructor(failure: SourceFailure) {
    super(failure.message, { cause: failure })
    this.failure = failure
  }
}

/** Returns why git failed: what a limit, the connection, git or the server says, in this order. */
export async function whyFailed(end: GitEnd, exchange: Exchange, line: Line): Promise<unknown> {
  const { place, source, dialer, meter } = line
  if (meter.signal.aborted) return meter.signal.reason
  if (end.tooManyObjects) return tooManyObjects(place.host)
  if (isUnadvertised(end.stderr)) return new Unadvertised()
  if (isLocal(end.stderr)) return new DamagedCopy(unwritable(end.stderr))
  const known = exchange.failure()
  if (known) return known
  const where = `${place.host}${place.path.startsWith('/') ? '' : ':'}${place.path}`
  const said = sayingFailure(where, end.stderr)
  if (said) return said
  const found =
    place.scheme === 'https' ? await probe(place, source, dialer, meter.signal) : undefined
  return found ?? unclear(where, end)
}
