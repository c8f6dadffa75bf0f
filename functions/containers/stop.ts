import { endpoint } from '../kit/endpoint.ts'
import { type ActionPorts, actOn } from './action.ts'
import { Container, ContainerPath, TimeoutQuery } from './schema.ts'

export default endpoint({
  summary: 'Stop a container',
  description:
    'Returns the container in its new state. Has no effect on a stopped container. ' +
    'In a container of a stack, the `pre_stop` commands that it was created with run before the stop, which follows even if one fails.',
  access: 'containers:operate',
  atService: true,
  path: ContainerPath,
  query: TimeoutQuery,
  returns: Container,
  noTimeout: true,
  errors: {
    404: 'No container or host has that id',
    409: 'The Engine refuses this in the current state of the container',
  },

  run({ path, query, caller }, ports: ActionPorts) {
    return actOn(
      path.id,
      { kind: 'stop', timeoutSeconds: query.timeout },
      query.host,
      caller,
      ports,
    )
  },
})
