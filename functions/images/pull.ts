import { isInternalImage } from '../core/compose/policy/internal-names.ts'
import { invalid } from '../core/errors.ts'
import { targetEngine } from '../core/hosts/target.ts'
import { refusePull } from '../core/images/image-access.ts'
import type { Needs } from '../core/ports.ts'
import { requireRegistry } from '../core/registries/allowed.ts'
import { deploysStacks, reachOf } from '../core/stacks/reach.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Image, PullOrder } from './schema.ts'
import { imageView } from './view.ts'

export default endpoint({
  summary: 'Pull an image',
  description:
    'Pulls the image from its registry with the stored credentials. Returns the image when the pull is complete, however long that takes. If the client disconnects, the pull is cancelled.',
  access: 'images:pull',
  body: PullOrder,
  returns: Image,
  waits: true,
  fails: {
    403: 'You may not pull from that registry',
    404: 'No host has that id, or the image does not exist or may not be pulled',
    409: 'A stack on that host builds its image with this name',
  },

  async run(
    { body, caller, signal, note },
    ports: Needs<'engines' | 'hosts' | 'owners' | 'registries' | 'settings' | 'stacks'>,
  ) {
    note({ subject: { kind: 'images', id: body.image } })
    await requireRegistry(body.image, caller, ports)
    if (isInternalImage(body.image)) {
      throw invalid(
        `body.image: ${body.image} is reserved for the helper image of this service: choose another name`,
      )
    }
    const { engine, place } = await targetEngine(body.host, caller, ports)
    const user = { stack: null, hostId: place.host_id, reach: reachOf(caller) }
    await refusePull(body.image, { ...user, mayDeploy: deploysStacks(caller, ports) }, ports)
    return imageView(await engine.pullImage(body.image, signal), place)
  },
})
