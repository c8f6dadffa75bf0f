import { type PullPorts, permitPull } from '../core/images/permit-pull.ts'
import { wantImage } from '../core/images/unused-since.ts'
import { Operation } from '../core/operations/operation-schema.ts'
import { type OperationPorts, startOperation } from '../core/operations/start-operation.ts'
import type { Needs } from '../core/ports/ports.ts'
import { acceptedOperation } from '../kit/accepted-operation.ts'
import { endpoint } from '../kit/endpoint.ts'
import { operationHeaders, WaitQuery } from '../kit/wait.ts'
import { Image, PullImageBody } from './schema.ts'
import { imageView } from './view.ts'

export default endpoint({
  summary: 'Pull an image',
  description:
    'Pulls the image from its registry with the stored credentials. Returns the image when the pull is complete, however long that takes. If the client disconnects, the pull is cancelled; with `wait=false` it goes on. The feed `/ws/images/pull` does the same and sends the progress of each layer.',
  access: 'images:pull',
  atService: true,
  query: WaitQuery,
  body: PullImageBody,
  returns: Image,
  accepts: Operation,
  otherResponses: { 202: 'With wait=false: the pull has started' },
  responseHeaders: operationHeaders(),
  noTimeout: true,
  errors: {
    403: 'You may not pull from that registry, or pull images of this service',
    404: 'No host has that id, or the image does not exist or may not be pulled',
    409: 'A stack on that host builds its image with this name',
  },

  async run(
    { body: { image, host }, query, caller, signal, note, trail },
    ports: OperationPorts & PullPorts & Needs<'prunePolicies'>,
  ) {
    note({ subject: { kind: 'images', id: image } })
    const permitted = await permitPull({ image, host, path: 'body.image' }, caller, ports)
    const { engine, hostFields, registries } = permitted
    const pull = async (until: AbortSignal) => {
      const pulled = await engine.pullImage(image, until, { registries })
      await wantImage(hostFields.host_id, pulled, ports)
      return imageView(pulled, hostFields)
    }
    if (query.wait) return pull(signal)
    const request = {
      kind: 'image_pull',
      subject: { kind: 'image', id: image, name: image },
      hostId: hostFields.host_id,
      hostName: hostFields.host_name,
      readers: { permissions: ['images:pull'], everyHost: false },
      unaudited: trail(),
    } as const
    const started = startOperation(request, caller, ports, (execute, ending) =>
      execute(pull, ending),
    )
    return acceptedOperation(await started)
  },
})
