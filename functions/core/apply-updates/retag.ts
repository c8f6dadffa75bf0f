import { splitReference } from '../../compose/reference/image-reference.ts'
import type { StackRecord } from '../records/stack.ts'
import type { DeploymentUpdate, UpdatedImage } from '../records/stack-update.ts'

/** Returns the images that references get in an update: reference → repository digest. */
export const retagNew = (images: readonly UpdatedImage[]): Record<string, string> =>
  Object.fromEntries(
    images.map(({ reference, digest }) => [reference, byDigest(reference, digest)]),
  )

/**
 * Returns the images that references get when an update is taken back. Those of other services stay
 * what the stack recorded: something else may have moved their names, and services that share a
 * network with an updated one are created again with it.
 */
export function retagBefore(
  { images }: DeploymentUpdate,
  { images: recorded = {} }: Pick<StackRecord, 'images'>,
): Record<string, string> {
  const updated = new Set(images.map(({ name }) => name))
  const others = Object.entries(recorded).filter(([name]) => !updated.has(name))
  return Object.fromEntries([
    ...images.map(({ reference, before }): [string, string] => [reference, before]),
    ...others,
  ])
}

/** Returns a reference with a digest for its tag: `nas:5000/app:1` → `nas:5000/app@sha256:…`. */
export const byDigest = (reference: string, digest: string): string =>
  `${splitReference(reference).repository}@${digest}`
