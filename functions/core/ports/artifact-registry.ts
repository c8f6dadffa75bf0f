import type { Artifact, ArtifactTarget } from '../records/artifact.ts'
import type { Registry } from '../records/registry.ts'

/** Writes artifacts to registries over the network, under the outbound network policy. */
export interface ArtifactRegistry {
  /**
   * Stores an artifact under a tag and returns the digest of its manifest. A tag that has something
   * other than a compose project of its owner stays as it is. Takes at most two minutes. What was
   * sent before a failure stays in the registry without a name.
   *
   * @param account is sent to the registry and the token service that the registry names
   * @throws 409 if the tag has something else, 422 if the registry refuses the artifact or the
   *   credentials, 500 if it cannot be reached
   */
  push(
    target: ArtifactTarget,
    artifact: Artifact,
    account: Pick<Registry, 'username' | 'password'> | undefined,
    signal: AbortSignal,
  ): Promise<string>
}
