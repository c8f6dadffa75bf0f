import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { actOn } from './action.ts'
import { Container, ContainerPath, TimeoutQuery } from './schema.ts'

export default endpoint({
  summary: 'Stop a container',
  description: 'Answers with the container after it. Stopping one that is stopped changes nothing.',
  access: 'containers:operate',
  path: ContainerPath,
  query: TimeoutQuery,
  returns: Container,
  waits: true,
  fails: { 404: 'No container or host has that id', 409: 'The Engine refuses it in its state' },

  run({ path, query, caller }, ports: Needs<'hosts' | 'engines'>) {
    return actOn(
      path.id,
      { kind: 'stop', timeoutSeconds: query.timeout },
      query.host,
      caller,
      ports,
    )
  },
})
