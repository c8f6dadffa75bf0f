import { endpoint } from '../kit/endpoint.ts'
import { type ActionPorts, actOn } from './action.ts'
import { Container, ContainerPath, TimeoutQuery } from './schema.ts'

export default endpoint({
  summary: 'Restart a container',
  description:
    'Returns the container in its new state. Containers that share its network are cut off: a deploy of their stack restarts them. ' +
    'In a container of a stack, the `pre_stop` and `post_start` commands that it was created with run before and after it.',
  access: 'containers:operate',
  atService: true,
  path: ContainerPath,
  query: TimeoutQuery,
  returns: Container,
  noTimeout: true,
  errors: {
    404: 'No container or host has that id',
    409: 'The Engine refuses this in the current state of the container, or a `post_start` command failed',
  },

  run({ path, query, caller }, ports: ActionPorts) {
    return actOn(
      path.id,
      { kind: 'restart', timeoutSeconds: query.timeout },
      query.host,
      caller,
      ports,
    )
  },
})
