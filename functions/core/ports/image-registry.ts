import { Failure } from '../errors.ts'
import type { ImageManifest, ImageTag, TagAnswer } from '../records/image-manifest.ts'
import type { Registry } from '../records/registry.ts'

/** The registry does not accept the stored credentials, for whatever is asked. */
export class RegistryAccountRefused extends Failure {
  constructor() {
    super(422, 'the registry refuses it: it does not accept the credentials', {
      reason: 'registry-refused',
    })
    this.name = 'RegistryAccountRefused'
  }
}

/** The registry takes no further requests. */
export class RegistryLimited extends Failure {
  /** For how many seconds; undefined if it does not say. */
  readonly seconds: number | undefined

  constructor(seconds: number | undefined) {
    super(500, 'the registry takes no further requests for now', {
      reason: 'registry-unreachable',
    })
    this.name = 'RegistryLimited'
    this.seconds = seconds
  }
}

/**
 * Reads from registries what their images are, under the outbound network policy. Nothing is
 * pulled: it asks for manifests and lists of tags. Docker Hub counts a manifest that it sends as a
 * pull.
 */
export interface ImageRegistry {
  /**
   * Asks which digest a tag has now, without its manifest.
   *
   * @param account is sent to the registry and the token service that the registry names
   * @throws RegistryLimited, 422 if the registry refuses the credentials or does not respond as
   *   one, 500 if it cannot be reached
   */
  digestOf(
    tag: ImageTag,
    account: Pick<Registry, 'username' | 'password'> | undefined,
    signal: AbortSignal,
  ): Promise<TagAnswer>
  /**
   * Reads the manifest with a digest; undefined if the registry does not have it.
   *
   * @throws as `digestOf`
   */
  manifest(
    tag: ImageTag,
    digest: string,
    account: Pick<Registry, 'username' | 'password'> | undefined,
    signal: AbortSignal,
  ): Promise<ImageManifest | undefined>
  /**
   * Returns all tags of the repository of a tag; undefined if there are more than 20,000.
   *
   * @throws as `digestOf`
   */
  tags(
    tag: ImageTag,
    account: Pick<Registry, 'username' | 'password'> | undefined,
    signal: AbortSignal,
  ): Promise<string[] | undefined>
}
