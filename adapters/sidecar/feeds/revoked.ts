import type { Needs } from '../../../functions/core/ports/ports.ts'
import { endOf, ends, type FeedEnd } from '../../../functions/kit/feed-end.ts'

/**
 * Milliseconds that a host may still seem enrolled here after another process revoked it. Longer
 * than hosts are cached.
 */
const stale = 1_200

/**
 * Returns the end of a failed feed. The feeds of a revoked host fail when its connection is closed.
 * They end as revoked, not as faulty.
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

/** Returns whether a host was revoked; false if the store does not answer. */
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
