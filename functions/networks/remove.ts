import { z } from 'zod'
import { conflict, notFound } from '../core/errors.ts'
import { targetEngine } from '../core/hosts/target.ts'
import { checkThingRemoval } from '../core/owners/check-thing-removal.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { HostQuery } from '../kit/params.ts'

/** Networks that every Engine has. */
const predefined = new Set(['bridge', 'host', 'none'])

export default endpoint({
  summary: 'Remove a network',
  description:
    'Like `docker network rm`: removes a network that no container is connected to. ' +
    'One of a stack needs the permissions to read and deploy that stack, one of no stack needs `stacks:privileged`.',
  access: 'networks:delete',
  atService: true,
  path: z.object({
    id: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,254}$/, 'must be the id or name of a network')
      .describe('Id or name of the network'),
  }),
  query: HostQuery,
  noTimeout: true,
  errors: {
    403: 'It is of no stack and you lack stacks:privileged, or you may not deploy its stack',
    404: 'No network or host has that id',
    409: 'A container uses it, Docker needs it, or it is a part of this service',
  },

  async run(
    { path: { id: named }, query, caller, signal },
    ports: Needs<'engines' | 'hosts' | 'owners' | 'stacks'>,
  ) {
    const { engine, hostFields } = await targetEngine(query.host, caller, ports)
    const networks = await engine.networks()
    const network =
      networks.find(({ id }) => id === named) ?? networks.find(({ name }) => name === named)
    if (!network) throw notFound(`there is no network ${named} on ${hostFields.host_name}`)
    const { id, name, labels } = network
    if (predefined.has(name))
      throw conflict(`network ${name}: every Engine has it, and it cannot be removed`, {
        reason: 'in-use',
      })
    const thing = { hostId: hostFields.host_id, kind: 'network', name } as const
    await checkThingRemoval({ ...thing, labels }, caller, engine, ports)
    const step = { index: 0, after: [], reason: 'removed by hand', service: null }
    await engine.execute({ ...step, action: 'remove', kind: 'network', name, id }, signal)
    return undefined
  },
})
