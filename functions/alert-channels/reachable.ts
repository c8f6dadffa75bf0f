import { pushoverUrl } from '../core/alerts/push-services.ts'
import { invalid } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { AlertTarget } from '../core/records/alert-channel.ts'

/**
 * Rejects a target whose address the outbound network policy refuses. A host name is resolved only
 * when an alert is sent.
 *
 * @throws 400 if the address is refused
 */
export function requireReachable(target: AlertTarget, ports: Needs<'outbound'>): void {
  if (target.kind === 'smtp') refuse('host', target.host, target.port, ports)
  else if (target.kind === 'pushover') requireReachableUrl('kind', pushoverUrl, ports)
  else if ('server' in target) requireReachableUrl('server', target.server, ports)
  else requireReachableUrl('url', target.url, ports)
}

/**
 * Rejects a URL whose address the outbound network policy refuses.
 *
 * @param field the field of the body that has it
 * @throws 400 if the address is refused
 */
export function requireReachableUrl(field: string, text: string, ports: Needs<'outbound'>): void {
  const url = new URL(text)
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  refuse(field, url.hostname, port, ports)
}

function refuse(field: string, host: string, port: number, { outbound }: Needs<'outbound'>): void {
  const problem = outbound.refusal(host, port)
  if (problem) throw invalid(`body.${field}: ${problem}`)
}
