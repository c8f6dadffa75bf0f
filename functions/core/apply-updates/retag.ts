import { splitReference } from '../../compose/reference/image-reference.ts'
import type { DeploymentUpdate, UpdatedImage } from '../records/stack-update.ts'

/** Returns the images that references get in an update: reference → repository digest. */
export const retagNew = (images: readonly UpdatedImage[]): Record<string, string> =>
  Object.fromEntries(
    images.map(({ reference, digest }) => [reference, byDigest(reference, digest)]),
  )

/** Returns the images that references get when an update is taken back. */
export const retagBefore = ({ images }: DeploymentUpdate): Record<string, string> =>
  Object.fromEntries(images.map(({ reference, before }) => [reference, before]))

/** Returns a reference with a digest for its tag: `nas:5000/app:1` → `nas:5000/app@sha256:…`. */
export const byDigest = (reference: string, digest: string): string =>
  `${splitReference(reference).repository}@${digest}`
