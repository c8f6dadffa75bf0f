import { invalid } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { AlertTarget } from '../core/records/alert-channel.ts'

/**
 * Rejects a target whose address the outbound network policy refuses. A host name is resolved only
 * when an alert is sent.
 *
 * @throws 400 if the address is refused
 */
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
