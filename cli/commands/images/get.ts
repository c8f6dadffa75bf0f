import type { Image } from '../../api/types.ts'
import { command } from '../../command.ts'
import { showInspection } from '../../output/inspection.ts'
import { one } from '../../resolve/find.ts'
import { hostFor, oneHost } from '../../resolve/host.ts'
import { itemsOf } from '../../resolve/host-list.ts'

export default command({
  args: '<image>',
  details: '\nShows an image, given by one of its names, its id or the beginning of its id.',
  examples: ['cli images get nginx:1.29'],
  async run({ args, flags, client, print }) {
    const named = oneHost(flags.host)
    const service = await client()
    const query = { host: await hostFor(service, named) }
    const images = itemsOf((await service.get('/images', { query })).value)
    const text = args.image.replace(/^sha256:/, '')
    const found = images.find((image) => isNamed(image, text)) ?? byId(images, text)
    print.data(found, (image) => showInspection(image, print))
  },
})

const isNamed = ({ tags, digests }: Image, text: string) =>
  [...tags, ...digests].some((name) => name === text || name === `${text}:latest`)

function byId(images: readonly Image[], text: string): Image {
  const candidates = images.map((image) => ({
    id: image.id.replace(/^sha256:/, ''),
    name: image.tags[0] ?? null,
    image,
  }))
  return one('image', text, candidates).image
}
