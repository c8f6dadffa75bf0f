import { createHash } from 'node:crypto'
import type { PublishedFile } from '../../compose/publish/published-files.ts'
import type { Artifact, ArtifactBlob } from '../records/artifact.ts'
import { version } from '../version.ts'

/** The media types by which `docker compose` recognizes a published project. */
export const mediaTypes = {
  project: 'application/vnd.docker.compose.project',
  compose: 'application/vnd.docker.compose.file+yaml',
  variables: 'application/vnd.docker.compose.envfile',
  /** The type of the configuration, for registries that know no types of artifacts. */
  emptyProject: 'application/vnd.docker.compose.config.empty.v1+json',
  empty: 'application/vnd.oci.empty.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
} as const

const mediaTypeOf = ({ kind }: Pick<PublishedFile, 'kind'>): string =>
  kind === 'variables' ? mediaTypes.variables : mediaTypes.compose

/** A published file without its text. */
export interface DescribedFile {
  name: string
  path: string
  mediaType: string
  size: number
  digest: string
}

/** Returns what the registry stores of each file. */
export const describedFiles = (files: readonly PublishedFile[]): DescribedFile[] =>
  files.map((file) => {
    const { mediaType, digest, content } = blobOf(mediaTypeOf(file), file.text)
    return { name: file.name, path: file.path, mediaType, size: content.length, digest }
  })

/**
 * Returns a project as an artifact. It has no time, so the same files always have the same digest.
 */
export function projectArtifact(files: readonly PublishedFile[]): Artifact {
  const config = blobOf(mediaTypes.empty, '{}')
  const blobs = files.map((file) => blobOf(mediaTypeOf(file), file.text))
  const layers = files.map((file, index) => ({
    ...descriptorOf(blobs[index] ?? config),
    annotations: annotationsOf(file),
  }))
  const manifest = (head: object, configType: string) =>
    blobOf(
      mediaTypes.manifest,
      JSON.stringify({
        schemaVersion: 2,
        mediaType: mediaTypes.manifest,
        ...head,
        config: { ...descriptorOf(config), mediaType: configType },
        layers,
      }),
    )
  const unique = new Map([config, ...blobs].map((blob) => [blob.digest, blob]))
  return {
    blobs: [...unique.values()],
    manifests: [
      manifest({ artifactType: mediaTypes.project }, mediaTypes.empty),
      manifest({}, mediaTypes.emptyProject),
    ],
  }
}

function annotationsOf({ kind, name }: PublishedFile): Record<string, string> {
  return {
    'com.docker.compose.version': version,
    [`com.docker.compose.${kind === 'variables' ? 'envfile' : 'file'}`]: name,
    ...(kind === 'extended' && { 'com.docker.compose.extends': 'true' }),
  }
}

function blobOf(mediaType: string, text: string): ArtifactBlob {
  const content = Buffer.from(text)
  const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`
  return { mediaType, digest, content }
}

const descriptorOf = ({ mediaType, digest, content }: ArtifactBlob) => ({
  mediaType,
  digest,
  size: content.length,
})

/** Returns whether the manifest of a tag, in either form, is that of a published project. */
export const isProjectManifest = (manifest: Readonly<Record<string, unknown>> | undefined) =>
  manifest?.artifactType === mediaTypes.project ||
  (manifest?.config as { mediaType?: unknown } | null | undefined)?.mediaType ===
    mediaTypes.emptyProject
