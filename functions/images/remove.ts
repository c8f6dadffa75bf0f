import { deploysStacks, reachOf } from '../core/access/reach.ts'
import { targetEngine } from '../core/hosts/target.ts'
import { checkRemoval } from '../core/images/check-removal.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { ImagePath, RemoveImageQuery } from './schema.ts'

type RemovalPorts = Needs<'engines' | 'hosts' | 'owners' | 'stacks'>

export default endpoint({
  summary: 'Remove an image',
  description:
    'Like `docker rmi`: a name is removed alone while the image has other names; the last name, or an id, removes the image. ' +
    'An image that a rollback needs is removed too; `kept` of `POST /images/prune` lists those. ' +
    'A name that no stack builds needs `stacks:privileged`, one that a stack builds needs the permissions to read and deploy that stack.',
  access: 'images:delete',
  atService: true,
  path: ImagePath,
  query: RemoveImageQuery,
  encodedSlashes: true,
  noTimeout: true,
  errors: {
    403: 'No stack builds it and you lack stacks:privileged, or you may not deploy the stack that does',
    404: 'No image or host has that id',
    409: 'A container uses it, or it has several names',
  },

  async run({ path, query, caller }, ports: RemovalPorts) {
    const { engine, hostFields } = await targetEngine(query.host, caller, ports)
    const rights = { reach: reachOf(caller), mayDeploy: deploysStacks(caller, ports) }
    await checkRemoval(path.id, { hostId: hostFields.host_id, ...rights }, engine, ports)
    await engine.removeImage(path.id, { force: query.force })
    return undefined
  },
})
