import type { Needs } from '../../../functions/core/ports/ports.ts'
import { endOf, ends, type FeedEnd } from '../../../functions/kit/feed-end.ts'

/**
 * How long a host that another process revoked may still look enrolled here: longer than hosts are
 * cached. Milliseconds.
 */
const stale = 1_200

/**
 * Returns the end of a feed that failed. The feeds of a revoked host fail as its connection is
 * closed, but that is a withdrawn permission and not a fault.
 *
 * @param used the hosts that the feed used
 */
export async function endOfFailedFeed(
  error: unknown,
  used: ReadonlySet<string>,
  ports: Needs<'clock' | 'hosts'>,
): Promise<FeedEnd> {
  const end = endOf(error)
  if (end.code !== 1011) return end
  const states = await Promise.all([...used].map((id) => isRevoked(id, ports)))
  return states.includes(true) ? ends.hostRevoked : end
}

/** Returns whether a host was revoked. If the store does not answer, the failure stands. */
async function isRevoked(id: string, ports: Needs<'clock' | 'hosts'>): Promise<boolean> {
  const find = () => ports.hosts.find(id).catch(() => null)
  const isGone = (host: Awaited<ReturnType<typeof find>>) =>
    host === undefined || host?.agent?.state === 'revoked'
  const first = await find()
  // The local host cannot be revoked.
  if (isGone(first) || !first?.agent) return isGone(first)
  await ports.clock.sleep(stale)
  return isGone(await find())
}
