import type Docker from 'dockerode'
import type { EngineClient } from './client.ts'
import { removeHelper } from './helper-container.ts'
import { isHelper, ownerLabel, ownLabel } from './labels.ts'

/** Seconds: a helper without an owner is used for less, and one that is older was left by a process that died. */
const abandonedAfter = 15 * 60

/**
 * Removes the helpers that processes left behind when they died, as far as no backup or restore owns them. `newest` is the
 * id of a helper that was just made: the Engine's own clock says how old the others are.
 */
export async function tidyHelpers(client: EngineClient, newest: string): Promise<void> {
  const filters = { label: [ownLabel] }
  const query = { all: true, filters }
  const found = await client.json<Docker.ContainerInfo[]>({
    ...{ method: 'GET', path: '/containers/json', query },
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
