import { groupBy } from '../group-by.ts'
import type { Source } from '../records/source.ts'
import { ociTarget } from '../registries/oci-target.ts'
import { Semaphore } from '../semaphore.ts'
import { parsePlace } from './git-place.ts'

/** Servers that are asked at once, each for one source at a time. */
const atOnce = 4

/**
 * How long the turn of a server lasts before its further sources wait for the next run, so that a
 * slow one does not hold up the others. Milliseconds.
 */
export const turnTime = 30_000

/**
 * Does work on the sources of each server, of a few servers at once.
 *
 * @param work gets the sources of one server, in their order
 * @throws what the work throws
 */
export async function byServer(
  sources: Iterable<Source>,
  work: (own: readonly Source[]) => Promise<void>,
): Promise<void> {
  const turns = new Semaphore(atOnce)
  const servers = groupBy(sources, serverOf)
  await Promise.all([...servers.values()].map((own) => turns.run(() => work(own))))
}

/** Returns the server that is asked, such as `registry.example.org` or `forge.example.org`. */
function serverOf({ kind, url, ref }: Source): string {
  return kind === 'git' ? parsePlace(url).host : (ociTarget(url, ref)?.registry ?? url)
}
