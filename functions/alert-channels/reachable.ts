import type { AlertTarget } from '../core/alerts/channel.ts'
import { invalid } from '../core/errors.ts'
import type { Needs } from '../core/ports.ts'

/** Throws a `Failure` 400 for a place that is never dialed. Names are asked for when something is sent. */
export function requireReachable(target: AlertTarget, { outbound }: Needs<'outbound'>): void {
  const [field, host, port] = placeOf(target)
  const problem = outbound.refusal(host, port)
  if (problem) throw invalid(`body.${field}: ${problem}`)
}

function placeOf(target: AlertTarget): [string, string, number] {
  if (target.kind === 'smtp') return ['host', target.host, target.port]
  const field = target.kind === 'ntfy' ? 'server' : 'url'
  const url = new URL(target.kind === 'ntfy' ? target.server : target.url)
  return [field, url.hostname, Number(url.port || (url.protocol === 'https:' ? 443 : 80))]
}
