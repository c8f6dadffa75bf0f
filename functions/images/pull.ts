import { type PullPorts, permitPull } from '../core/images/permit-pull.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Image, PullImageBody } from './schema.ts'
import { imageView } from './view.ts'

export default endpoint({
  summary: 'Pull an image',
  description:
    'Pulls the image from its registry with the stored credentials. Returns the image when the pull is complete, however long that takes. If the client disconnects, the pull is cancelled. The feed `/ws/images/pull` does the same and sends the progress of each layer.',
  access: 'images:pull',
  atService: true,
  body: PullImageBody,
  returns: Image,
  noTimeout: true,
  errors: {
    403: 'You may not pull from that registry, or pull images of this service',
    404: 'No host has that id, or the image does not exist or may not be pulled',
    409: 'A stack on that host builds its image with this name',
  },

  async run({ body: { image, host }, caller, signal, note }, ports: PullPorts) {
    note({ subject: { kind: 'images', id: image } })
    const permitted = await permitPull({ image, host, path: 'body.image' }, caller, ports)
    const { engine, hostFields, registries } = permitted
    return imageView(await engine.pullImage(image, signal, { registries }), hostFields)
  },
})
