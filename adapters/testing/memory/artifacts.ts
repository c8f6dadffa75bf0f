import type { ArtifactRegistry } from '../../../functions/core/ports/artifact-registry.ts'
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
      pushed.push({ reference: targetText(target), artifact, username: account?.username })
      return artifact.manifests[0]?.digest ?? ''
    },
  }
}
