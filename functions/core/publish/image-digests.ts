import { ownEntry } from '../../compose/lookup.ts'
import type { PublishedFile } from '../../compose/publish/published-files.ts'
import { imageName } from '../../compose/reference/image-name.ts'
import { conflict } from '../errors.ts'
import type { Engine } from '../ports/engine.ts'

/**
 * Returns a compose file that pins the image of each service to the digest that the host has.
 *
 * @throws 409 if the host has an image without a digest of its registry, or not at all
 */
export async function imageDigests(
  images: Readonly<Record<string, string>>,
  engine: Engine,
): Promise<PublishedFile> {
  const names = [...new Set(Object.values(images))]
  const found = await engine.resolve({ networks: [], volumes: [], images: names })
  const pinned = Object.entries(images).map(([service, image]) => {
    const { kind, repository } = imageName(image)
    const digests = ownEntry(found.images, image)?.digests ?? []
    const own = digests.find((one) => imageName(one).repository === repository)
    if (kind === 'tag' && own === undefined) {
      throw conflict(
        `service ${service}: the host does not have ${image} from its registry, so its digest is unknown: pull it first`,
      )
    }
    const text = own && kind === 'tag' ? `${image}${own.slice(own.indexOf('@'))}` : image
    return [service, { image: text }] as const
  })
  const name = 'image-digests.yaml'
  const text = `${JSON.stringify({ services: Object.fromEntries(pinned) }, null, 2)}\n`
  return { kind: 'compose', path: name, name, text }
}
