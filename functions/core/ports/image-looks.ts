import type { ImageLook } from '../records/image-look.ts'
import type { Collection } from './collection.ts'

/** What registries said of tags, written under the lease of the looks. */
export type ImageLooks = Collection<ImageLook>
