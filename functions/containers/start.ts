import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { HostQuery } from '../kit/params.ts'
import { actOn } from './action.ts'
import { Container, ContainerPath } from './schema.ts'

export default endpoint({
  summary: 'Start a container',
  description: 'Answers with the container after it. Starting one that runs changes nothing.',
  access: 'containers:operate',
  path: ContainerPath,
  query: HostQuery,
  returns: Container,
  waits: true,
  fails: { 404: 'No container or host has that id', 409: 'The Engine refuses it in its state' },

  run({ path, query, caller }, ports: Needs<'hosts' | 'engines'>) {
    return actOn(path.id, { kind: 'start' }, query.host, caller, ports)
  },
})
