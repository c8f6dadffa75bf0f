import { endpoint } from '../kit/endpoint.ts'
import { type ActionPorts, actOn } from './action.ts'
import { Container, ContainerPath, SignalQuery } from './schema.ts'

export default endpoint({
  summary: 'Kill a container',
  description: 'Sends SIGKILL or another signal. Has no effect on a container that is not running.',
  access: 'containers:operate',
  atService: true,
  path: ContainerPath,
  query: SignalQuery,
  returns: Container,
  noTimeout: true,
  errors: {
    404: 'No container or host has that id',
    409: 'The Engine refuses this in the current state of the container',
  },

  run({ path, query, caller }, ports: ActionPorts) {
    return actOn(path.id, { kind: 'kill', signal: query.signal }, query.host, caller, ports)
  },
})
