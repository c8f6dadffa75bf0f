import { digestPattern } from '../registries/oci-target.ts'
import { isProjectManifest, mediaTypes } from './artifact.ts'

/** A file of a published project, by its descriptor in the manifest. */
export interface ProjectLayer {
  digest: string
  size: number
  /** Null for the compose files, which are one file together, in their order. */
  name: string | null
}

/** The most layers that a published project has. */
const layersMax = 1000

interface Descriptor {
  mediaType?: unknown
  digest?: unknown
  size?: unknown
  annotations?: Readonly<Record<string, unknown>> | null
}

/**
 * Returns the files of a published project, as `docker compose` reads them: layers of other types
 * have none. Returns undefined if the manifest is not that of a project, or is damaged.
 */
export function projectLayers(
  manifest: Readonly<Record<string, unknown>> | undefined,
): ProjectLayer[] | undefined {
  if (!isProjectManifest(manifest) || !Array.isArray(manifest?.layers)) return undefined
  if (manifest.layers.length > layersMax) return undefined
  const own = manifest.layers.filter(isOfProject)
  const layers = own.flatMap((one) => layerOf(one) ?? [])
  return layers.length === own.length && layers.some(({ name }) => name === null)
    ? layers
    : undefined
}

const isOfProject = (layer: Descriptor | null): layer is Descriptor =>
  layer?.mediaType === mediaTypes.compose || layer?.mediaType === mediaTypes.variables

/** Returns undefined if a layer is not in a valid form. */
function layerOf({ mediaType, digest, size, annotations }: Descriptor): ProjectLayer | undefined {
  if (typeof digest !== 'string' || !digestPattern.test(digest)) return undefined
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) return undefined
  const isExtended = annotations?.['com.docker.compose.extends'] === 'true'
  if (mediaType === mediaTypes.compose && !isExtended) return { digest, size, name: null }
  const key = isExtended ? 'com.docker.compose.file' : 'com.docker.compose.envfile'
  const name = annotations?.[key]
  const isName = typeof name === 'string' && /^[^/\\\p{Cc}]{1,255}$/u.test(name)
  return isName && name !== '.' && name !== '..' ? { digest, size, name } : undefined
}
