import { internalError } from '../../../functions/core/errors.ts'
import type { ImageRegistry } from '../../../functions/core/ports/image-registry.ts'
import { targetText } from '../../../functions/core/publish/target.ts'
import type { ImageManifest, TagAnswer } from '../../../functions/core/records/image-manifest.ts'

/** A registry in memory, with access for the test. */
export interface MemoryImageRegistry extends ImageRegistry {
  /** Name with registry and tag → what the registry answers; a text is a failure. */
  readonly tags: Map<string, TagAnswer | string>
  /** Digest → its manifest. */
  readonly manifests: Map<string, ImageManifest>
  /** The requests, in their order: `HEAD` and the name, or `GET` and the digest. */
  readonly requests: string[]
}

/** Returns a registry in memory without images. */
export function memoryImageRegistry(): MemoryImageRegistry {
  const tags = new Map<string, TagAnswer | string>()
  const manifests = new Map<string, ImageManifest>()
  const requests: string[] = []
  return {
    tags,
    manifests,
    requests,
    async digestOf(tag) {
      const name = targetText(tag)
      requests.push(`HEAD ${name}`)
      const answer = tags.get(name) ?? { state: 'missing' }
      if (typeof answer === 'string') throw internalError(answer)
      return answer
    },
    async manifest(_, digest) {
      requests.push(`GET ${digest}`)
      return manifests.get(digest)
    },
  }
}
