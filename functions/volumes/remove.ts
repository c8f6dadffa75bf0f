import { z } from 'zod'
import { notFound } from '../core/errors.ts'
import { targetEngine } from '../core/hosts/target.ts'
import { checkThingRemoval } from '../core/owners/check-thing-removal.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { HostQuery } from '../kit/params.ts'

export default endpoint({
  summary: 'Remove a volume',
  description:
    'Like `docker volume rm`: removes a volume that no container uses, with its data. ' +
    'One of a stack needs the permissions to read and deploy that stack, one of no stack needs `stacks:privileged`.',
  access: 'volumes:delete',
  atService: true,
  path: z.object({
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,254}$/, 'must be the name of a volume')
      .describe('Name of the volume'),
  }),
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
    const { engine, hostFields } = await targetEngine(query.host, caller, ports)
    const volume = (await engine.volumes()).find((one) => one.name === name)
    if (!volume) throw notFound(`there is no volume ${name} on ${hostFields.host_name}`)
    const thing = { hostId: hostFields.host_id, kind: 'volume', name } as const
    await checkThingRemoval({ ...thing, labels: volume.labels }, caller, engine, ports)
    const step = { index: 0, after: [], reason: 'removed by hand', service: null }
    await engine.execute({ ...step, action: 'remove', kind: 'volume', name }, signal)
    return undefined
  },
})
