import type Docker from 'dockerode'
import { isHelper, ownerLabel, ownLabel } from '../names/labels.ts'
import type { EngineClient } from '../transport/client.ts'
import { removeHelper } from './helper-container.ts'

/**
 * Seconds. A helper without an owner is never used for this long, so an older one belongs to a
 * process that died.
 */
const abandonedAfter = 15 * 60

/**
 * Removes the helpers of processes that died, except those of a backup or restore. `newest` is the
 * id of a helper that was just created: its creation time is the current time on the Engine's
 * clock.
 */
export async function removeAbandonedHelpers(client: EngineClient, newest: string): Promise<void> {
  const filters = { label: [ownLabel] }
  const query = { all: true, filters }
  const found = await client.json<Docker.ContainerInfo[]>({
    method: 'GET',
    path: '/containers/json',
    query,
  })
  const now = found.find(({ Id }) => Id === newest)?.Created
  if (now === undefined) return
  const abandoned = found.filter(
    ({ Names, Labels, Created }) =>
      isHelper(Names[0] ?? '', Labels) &&
      Labels[ownerLabel] === undefined &&
      now - Created > abandonedAfter,
  )
  await Promise.all(abandoned.map(({ Id }) => removeHelper(client, Id)))
}
