import { createHash } from 'node:crypto'
import type { PublishedFile } from '../../compose/publish/published-files.ts'
import { conflict } from '../errors.ts'
import type { Artifact, ArtifactBlob } from '../records/artifact.ts'
import type { StackRecord } from '../records/stack.ts'
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

/** The annotation of a manifest that says who published it. */
const ownerAnnotation = 'container-stacks.publisher'

/**
 * Returns the owner of what a stack publishes. It says nothing about the stack, and a later stack
 * of the same name is another owner.
 */
export const publisherOf = ({ id, createdAt }: Pick<StackRecord, 'id' | 'createdAt'>): string =>
  createHash('sha256')
    .update(JSON.stringify([id, createdAt]))
    .digest('hex')

/**
 * Returns a project as an artifact. It has no time, so the same files of the same owner always have
 * the same digest.
 */
export function projectArtifact(
  files: readonly PublishedFile[],
  { owner, replacesOthers }: Pick<Artifact, 'owner' | 'replacesOthers'>,
): Artifact {
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
        annotations: { [ownerAnnotation]: owner },
      }),
    )
  const unique = new Map([config, ...blobs].map((blob) => [blob.digest, blob]))
  return {
    blobs: [...unique.values()],
    manifests: [
      manifest({ artifactType: mediaTypes.project }, mediaTypes.empty),
      manifest({}, mediaTypes.emptyProject),
    ],
    owner,
    replacesOthers,
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

type Manifest = Readonly<Record<string, unknown>> | undefined

/**
 * Checks that an artifact may take the place of what a tag has. A name belongs to the stack that
 * published it.
 *
 * @param manifest what the tag has; undefined if that cannot be read
 * @throws 409 if it is no published project, or another stack or program published it
 */
export function requireReplaceable(
  manifest: Manifest,
  tag: string,
  { owner, replacesOthers }: Artifact,
): void {
  if (!isProjectManifest(manifest)) {
    throw conflict(
      `the tag ${tag} has something that is no compose project, such as an image: choose another tag`,
    )
  }
  if (replacesOthers || ownerOf(manifest) === owner) return
  throw conflict(
    `the tag ${tag} has a project that this stack did not publish: choose another tag, or use \`replace\`, which needs stacks:privileged`,
    { reason: 'exists' },
  )
}

/** Returns whether a manifest, in either form, is that of a published project. */
export const isProjectManifest = (manifest: Manifest): boolean =>
  manifest?.artifactType === mediaTypes.project ||
  (manifest?.config as { mediaType?: unknown } | null | undefined)?.mediaType ===
    mediaTypes.emptyProject

/** Returns who published a project. One of another program or an earlier version does not say. */
const ownerOf = (manifest: Manifest): unknown =>
  (manifest?.annotations as Readonly<Record<string, unknown>> | null | undefined)?.[ownerAnnotation]
