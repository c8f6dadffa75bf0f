import { conflict } from '../core/errors.ts'
import { checkThingRemoval } from '../core/owners/check-thing-removal.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { HostQuery } from '../kit/params.ts'
import { NetworkPath } from './schema.ts'
import { targetNetwork } from './target-network.ts'

/** Networks that every Engine has. */
const predefined = new Set(['bridge', 'host', 'none'])

export default endpoint({
  summary: 'Remove a network',
  description:
    'Like `docker network rm`: removes a network that no container is connected to. ' +
    'One of a stack needs the permissions to read and deploy that stack, one of no stack needs `stacks:privileged`.',
  access: 'networks:delete',
  atService: true,
  path: NetworkPath,
  query: HostQuery,
  noTimeout: true,
  errors: {
    403: 'It is of no stack and you lack stacks:privileged, or you may not deploy its stack',
    404: 'No network or host has that id',
    409: 'A container uses it, Docker needs it, or it is a part of this service',
  },

  async run(
    { path, query, caller, signal },
    ports: Needs<'engines' | 'hosts' | 'owners' | 'stacks'>,
  ) {
    const found = await targetNetwork(path.id, query.host, caller, ports)
    const { network, engine, hostFields } = found
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
