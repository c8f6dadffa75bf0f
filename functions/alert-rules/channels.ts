import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'

/**
 * Checks that every channel exists.
 *
 * @throws 404 naming the first one that does not
 */
export async function requireChannels(
  ids: readonly string[],
  { alertChannels }: Needs<'alertChannels'>,
): Promise<void> {
  const found = await Promise.all(ids.map((id) => alertChannels.find(id)))
  const missing = ids.find((_, index) => !found[index])
  if (missing !== undefined) throw notFound(`body.channels: there is no channel ${missing}`)
}
