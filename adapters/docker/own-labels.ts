import type Docker from 'dockerode'
import type { EngineClient } from './client.ts'
import { inspectImage } from './images.ts'
import { composeLabels } from './labels.ts'

/** An entry of the Engine's list of containers. */
type Listed = Docker.ContainerInfo
type Labels = Readonly<Record<string, string>>

/** Everything that docker compose labels begins with this. */
const prefix = 'com.docker.compose.'

/**
 * Returns the containers without the labels of docker compose that they inherited from their image,
 * unless a compose tool made them. Everybody who can build an image writes its labels: a container in
 * which the builder runs a step, or one started from such an image by hand, would otherwise pass
 * for one of the project that the image names.
 */
export type OwnLabels = (listed: readonly Listed[]) => Promise<Listed[]>

/** Returns an `OwnLabels` for one Engine. The labels of images are kept: an ID stands for them. */
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
    // Labels of images that no listed container uses are dropped.
    kept = new Map([...known].filter(([id]) => ids.includes(id)))
    return listed.map((container) =>
      isProven(container) ? container : withoutInherited(container, known.get(container.ImageID)),
    )
  }
}

/**
 * Returns true for a container without labels of docker compose, and for one that is labelled with
 * the ID of its own image: docker compose and this service do that, and no image contains its own ID.
 */
const isProven = ({ Labels, ImageID }: Listed): boolean =>
  Labels?.[composeLabels.project] === undefined || Labels[composeLabels.image] === ImageID

function withoutInherited(container: Listed, image: Labels | undefined): Listed {
  const { Labels } = container
  const hash = Labels[composeLabels.configHash]
  // A hash of its own: another compose tool, or an old one, made it.
  if (image && hash !== undefined && hash !== image[composeLabels.configHash]) return container
  // An image that is gone proves nothing.
  const isInherited = (key: string, value: string) => !image || image[key] === value
  const own = Object.entries(Labels).filter(
    ([key, value]) => !key.startsWith(prefix) || !isInherited(key, value),
  )
  return { ...container, Labels: Object.fromEntries(own) }
}
