import { endpoint } from '../kit/endpoint.ts'
import { HostQuery } from '../kit/params.ts'
import { type ActionPorts, actOn } from './action.ts'
import { Container, ContainerPath } from './schema.ts'

export default endpoint({
  summary: 'Start a container',
  description:
    'Returns the container in its new state. Has no effect on a running container. ' +
    'In a container of a stack, the `post_start` commands that it was created with run after the start.',
  access: 'containers:operate',
  atService: true,
  path: ContainerPath,
  query: HostQuery,
  returns: Container,
  noTimeout: true,
  errors: {
    404: 'No container or host has that id',
    409: 'The Engine refuses this in the current state of the container, a `post_start` command failed, or it is a part of the service',
  },

  run({ path, query, caller }, ports: ActionPorts) {
    return actOn(path.id, { kind: 'start' }, query.host, caller, ports)
  },
})
