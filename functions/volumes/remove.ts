import { checkThingRemoval } from '../core/owners/check-thing-removal.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { HostQuery } from '../kit/params.ts'
import { VolumePath } from './schema.ts'
import { targetVolume } from './target-volume.ts'

export default endpoint({
  summary: 'Remove a volume',
  description:
    'Like `docker volume rm`: removes a volume that no container uses, with its data. ' +
    'One of a stack needs the permissions to read and deploy that stack, one of no stack needs `stacks:privileged`.',
  access: 'volumes:delete',
  atService: true,
  path: VolumePath,
  query: HostQuery,
  noTimeout: true,
  errors: {
    403: 'It is of no stack and you lack stacks:privileged, or you may not deploy its stack',
    404: 'No volume or host has that name',
    409: 'A container uses it, or it is a part of this service',
  },

  async run(
    { path: { name }, query, caller, signal },
    ports: Needs<'engines' | 'hosts' | 'owners' | 'stacks'>,
  ) {
    const { volume, engine, hostFields } = await targetVolume(name, query.host, caller, ports)
    const thing = { hostId: hostFields.host_id, kind: 'volume', name } as const
    await checkThingRemoval({ ...thing, labels: volume.labels }, caller, engine, ports)
    const step = { index: 0, after: [], reason: 'removed by hand', service: null }
    await engine.execute({ ...step, action: 'remove', kind: 'volume', name }, signal)
    return undefined
  },
})
