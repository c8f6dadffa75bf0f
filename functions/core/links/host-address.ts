import type { Needs } from '../ports/ports.ts'
import type { Host } from '../records/host.ts'

/**
 * Returns the name or address at which users reach the published ports of a host; null if it is
 * unknown. The service runs on the local host, so the address at which the caller reaches the
 * service is its default. It can come from the request's `Host` header, which only the caller
 * writes: so the answer must go to that caller alone, and be neither stored nor cached.
 *
 * @param headers those of the caller's request
 */
export function hostAddress(
  host: Pick<Host, 'kind' | 'address'>,
  { addresses }: Needs<'addresses'>,
  headers: Record<string, string | undefined>,
): string | null {
  if (host.address) return host.address
  return host.kind === 'local' ? new URL(addresses.base(headers)).hostname : null
}
