import { Failure, unprocessable } from '../../../functions/core/errors.ts'
import type { ImageRegistry } from '../../../functions/core/ports/image-registry.ts'
import { targetText } from '../../../functions/core/publish/target.ts'
import type { ImageManifest, TagAnswer } from '../../../functions/core/records/image-manifest.ts'

/** A registry in memory, with access for the test. */
export interface MemoryImageRegistry extends ImageRegistry {
  /** Name with registry and tag → what the registry answers; a text is a refusal. */
  readonly answers: Map<string, TagAnswer | Failure | string>
  /** Digest → its manifest. */
  readonly manifests: Map<string, ImageManifest>
  /** The requests, in their order: `HEAD` and the name, or `GET` and the digest. */
  readonly requests: string[]
  /** The repositories whose tags were listed, in their order. */
  readonly lists: string[]
}

/** Returns a registry in memory without images. */
export function memoryImageRegistry(): MemoryImageRegistry {
  const answers = new Map<string, TagAnswer | Failure | string>()
  const manifests = new Map<string, ImageManifest>()
  const requests: string[] = []
  const lists: string[] = []
  return {
    answers,
    manifests,
    requests,
    lists,
    async digestOf(tag) {
      const name = targetText(tag)
      requests.push(`HEAD ${name}`)
      const answer = answers.get(name) ?? { state: 'missing' }
      if (answer instanceof Failure) throw answer
      if (typeof answer === 'string') throw unprocessable(answer, { reason: 'registry-refused' })
      return answer
    },
    async manifest(_, digest) {
      requests.push(`GET ${digest}`)
      return manifests.get(digest)
    },
    async tags({ registry, repository }) {
      const start = `${registry}/${repository}:`
      lists.push(start.slice(0, -1))
      const own = [...answers.keys()].filter((name) => name.startsWith(start))
      return own.map((name) => name.slice(start.length))
    },
  }
}
