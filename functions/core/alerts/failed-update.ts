import { shortDigest } from '../../compose/reference/image-reference.ts'
import type { HeldBackImage } from '../records/held-back-image.ts'
import type { StackRecord } from '../records/stack.ts'

/** The most characters of a log that a message has. */
const logMax = 1500

/**
 * Returns what is wrong with the updates of a stack, as text for a message: images that were bad, a
 * failure, or why they are blocked. Undefined if nothing is.
 */
export function failedUpdate({
  update,
  heldBack = [],
  updatePolicy,
}: Pick<StackRecord, 'update' | 'heldBack' | 'updatePolicy'>): string | undefined {
  if (updatePolicy?.mode === 'apply') {
    const blocked = updatePolicy.actsAs?.blocked ?? null
    if (blocked !== null) return `updates are blocked: ${blocked}`
    if (update?.outcome === 'failed') return update.reason ?? 'the update failed'
  }
  if (update?.outcome !== 'bad') return undefined
  const { rollback, deploymentId, reason, undoneBy } = update
  const held = heldBack.filter((image) => image.deploymentId === deploymentId)
  if (rollback?.state === 'failed') {
    return `the images from before could not be deployed again: ${rollback.error ?? reason ?? ''}`
  }
  if (rollback?.state === 'due' && rollback.error !== null) {
    return `the images from before could not be deployed yet, it is tried again: ${rollback.error}`
  }
  // What an account took back is no failure.
  if (undoneBy !== undefined) return undefined
  return held.length > 0 ? held.map(heldText).join('\n') : undefined
}

/** Describes an image that was bad: `web: nginx from sha256:… to sha256:…: it ended with 1`. */
function heldText({ service, name, before, digest, reason, log }: HeldBackImage): string {
  const head = `${service}: ${name} from ${shortDigest(before)} to ${shortDigest(digest)}: ${reason}`
  return log.length > 0 ? `${head}\n${log.join('\n').slice(-logMax)}` : head
}
