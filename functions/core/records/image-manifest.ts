import type { Platform } from '../../compose/snapshot.ts'
import type { ArtifactTarget } from './artifact.ts'

/** A tag of an image in its registry. */
export type ImageTag = ArtifactTarget

/** How many requests a registry still takes. */
export interface RegistryQuota {
  remaining: number
  limit: number
}

/** What a registry says about a tag. */
export type TagAnswer =
  | { state: 'found'; digest: string; quota?: RegistryQuota | undefined }
  | { state: 'missing' }

/** A manifest: that of one image, or an index of images for several platforms. */
export type ImageManifest =
  /** `config` is the digest of the configuration, which is the ID of the image on many hosts. */
  | { kind: 'image'; config: string }
  | { kind: 'index'; images: { platform: Platform; digest: string }[] }
