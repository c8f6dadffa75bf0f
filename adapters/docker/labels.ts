import { randomBytes } from 'node:crypto'
import {
  helperImage,
  helperNamePrefix,
  isInternalContainer,
} from '../../functions/core/compose/policy/internal-names.ts'

/** Marks what this adapter makes for its own use. Its value says what for. */
export const ownLabel = 'container-stacks.internal'

/** Beside it, on what is made for a backup or a restore: whose it is. */
export const ownerLabel = 'container-stacks.owner'

export { helperImage }

/** A name for a helper that no caller can guess: another container of a fixed name would be in the way. */
export const newHelperName = () => `${helperNamePrefix}${randomBytes(8).toString('hex')}`

/**
 * Returns true for a container that this adapter made for itself. A label alone proves nothing, an image can bring it along:
 * a helper has our labels and no other, and a name that neither a compose file nor a build can give.
 */
export function isHelper(name: string, labels: Record<string, string> | null): boolean {
  const keys = Object.keys(labels ?? {})
  const ours = keys.every((key) => key === ownLabel || key === ownerLabel)
  return isInternalContainer(name) && keys.includes(ownLabel) && ours
}

/** Labels of docker compose that the adapter reads or fills in. */
export const composeLabels = {
  project: 'com.docker.compose.project',
  service: 'com.docker.compose.service',
  number: 'com.docker.compose.container-number',
  oneoff: 'com.docker.compose.oneoff',
  image: 'com.docker.compose.image',
  network: 'com.docker.compose.network',
  configHash: 'com.docker.compose.config-hash',
} as const

/** The compose project that labels name, or null. */
export const stackOf = (labels: Record<string, string> | null) =>
  labels?.[composeLabels.project] ?? null

/** An instant as the Engine writes it, or null for the zero instant that it writes for none. */
export function instant(text: string | undefined): string | null {
  return !text || text.startsWith('0001-') ? null : text
}
