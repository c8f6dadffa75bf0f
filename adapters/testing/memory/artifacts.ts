import type { ArtifactRegistry } from '../../../functions/core/ports/artifact-registry.ts'
import { requireReplaceable } from '../../../functions/core/publish/artifact.ts'
import { targetText } from '../../../functions/core/publish/target.ts'
import type { Artifact } from '../../../functions/core/records/artifact.ts'

/** An artifact that was pushed. */
export interface PushedArtifact {
  reference: string
  artifact: Artifact
  username: string | undefined
}

/** Returns a writer of artifacts that keeps them in `pushed`. */
export function memoryArtifacts(): ArtifactRegistry & { pushed: PushedArtifact[] } {
  const pushed: PushedArtifact[] = []
  return {
    pushed,
    async push(target, artifact, account) {
      const reference = targetText(target)
      const [last] = pushed.filter((one) => one.reference === reference).slice(-1)
      const stored = last?.artifact.manifests[0]?.content
      if (stored)
        requireReplaceable(JSON.parse(Buffer.from(stored).toString()), target.tag, artifact)
      pushed.push({ reference, artifact, username: account?.username })
      return artifact.manifests[0]?.digest ?? ''
    },
  }
}
