import type Docker from 'dockerode'
import { inspectImage } from '../inspect/image.ts'
import { composeLabels } from '../names/labels.ts'
import type { EngineClient } from '../transport/client.ts'

/** An entry of the Engine's list of containers. */
type Listed = Docker.ContainerInfo
type Labels = Readonly<Record<string, string>>

/** The common prefix of docker compose's labels. */
const prefix = 'com.docker.compose.'

/**
 * Returns the containers without the compose labels that they inherited from their image, unless a
 * compose tool created them. Anyone who builds an image chooses its labels. Without this, a
 * builder's container or one started by hand from such an image would count as part of the project
 * that the image names.
 */
export type OwnLabels = (listed: readonly Listed[]) => Promise<Listed[]>

/**
 * Returns an `OwnLabels` for one Engine. It caches the labels of images, which never change for an
 * id.
 */
export function ownLabels(client: EngineClient): OwnLabels {
  let kept = new Map<string, Labels>()
  return async (listed) => {
    const doubtful = listed.filter((container) => !isProven(container))
    const ids = [...new Set(doubtful.map(({ ImageID }) => ImageID))]
    const known = new Map(kept)
    await Promise.all(
      ids.map(async (id) => {
        if (known.has(id)) return
        const image = await inspectImage(client, id)
        if (image) known.set(id, image.Config?.Labels ?? {})
      }),
    )
    // Drops the labels of images that no listed container uses.
    kept = new Map([...known].filter(([id]) => ids.includes(id)))
    return listed.map((container) =>
      isProven(container) ? container : withoutInherited(container, known.get(container.ImageID)),
    )
  }
}

/**
 * Returns true for a container without compose labels, and for one that is labelled with the id of
 * its own image. Docker compose and this service set that label, and no image can contain its own
 * id.
 */
const isProven = ({ Labels, ImageID }: Listed): boolean =>
  Labels?.[composeLabels.project] === undefined || Labels[composeLabels.image] === ImageID

function withoutInherited(container: Listed, image: Labels | undefined): Listed {
  const { Labels } = container
  const hash = Labels[composeLabels.configHash]
  // The hash is not the image's, so another compose tool, or an old one, created the container.
  if (image && hash !== undefined && hash !== image[composeLabels.configHash]) return container
  // If the image is gone, all compose labels count as inherited.
  const isInherited = (key: string, value: string) => !image || image[key] === value
  const own = Object.entries(Labels).filter(
    ([key, value]) => !key.startsWith(prefix) || !isInherited(key, value),
  )
  return { ...container, Labels: Object.fromEntries(own) }
}
