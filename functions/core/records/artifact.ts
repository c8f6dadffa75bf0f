/** One content of an artifact, as a registry stores it. */
export interface ArtifactBlob {
  mediaType: string
  /** `sha256:` and the digest of the content. */
  digest: string
  content: Uint8Array
}

/** Content that a registry stores under a tag and that is no image. */
export interface Artifact {
  /** The contents, each digest once. */
  blobs: readonly ArtifactBlob[]
  /**
   * The same manifest in the forms that registries accept, the preferred one first. Their blobs are
   * the same.
   */
  manifests: readonly ArtifactBlob[]
  /** The stack that publishes it: an annotation of the manifests. */
  owner: string
  /** It may replace a project of another owner. */
  replacesOthers: boolean
}

/** Where an artifact is stored. */
export interface ArtifactTarget {
  /** The registry in the form of `registryAddress`. */
  registry: string
  /** The path in the registry, such as `team/shop`. */
  repository: string
  tag: string
}
