import { randomBytes } from 'node:crypto'
import {
  helperImage,
  helperNamePrefix,
  isInternalContainer,
} from '../../../functions/compose/policy/internal-names.ts'

/** Marks containers that this adapter creates for itself. The value is the purpose. */
export const ownLabel = 'container-stacks.internal'

/** Names the backup or restore that a helper belongs to. */
export const ownerLabel = 'container-stacks.owner'

export { helperImage }

/** Returns a random container name. A predictable one could be taken by another container. */
export const newHelperName = () => `${helperNamePrefix}${randomBytes(8).toString('hex')}`

/**
 * Returns whether this adapter created a container for itself. A label alone proves nothing,
 * because an image can have it. A helper has only our labels, and a name that neither a compose
 * file nor a build can use.
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

/** Returns the compose project in the labels, or null. */
export const stackOf = (labels: Record<string, string> | null) =>
  labels?.[composeLabels.project] ?? null

/** Returns a time in the Engine's format, or null for the zero time that it uses for none. */
export function instant(text: string | undefined): string | null {
  return !text || text.startsWith('0001-') ? null : text
}
