import { getOperation } from '../core/operations/operation-record.ts'
import { Operation } from '../core/operations/operation-schema.ts'
import { operationView } from '../core/operations/operation-view.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { readEnded, WaitSecondsQuery } from '../kit/wait.ts'
import { OperationPath } from './schema.ts'

export default endpoint({
  summary: 'Show an operation',
  description:
    'Includes its result once it has succeeded. With `wait_seconds` the response is sent when it has ended, or after that time. You need the permissions and the scope to start it yourself.',
  access: 'signed-in',
  path: OperationPath,
  query: WaitSecondsQuery,
  returns: Operation,
  noTimeout: true,
  errors: {
    403: 'You lack a permission or the scope to start such an operation',
    404: 'There is no such operation',
  },

  async run({ path, query, caller, signal }, ports: Ports) {
    // A turn is taken for each read, and none while the request waits.
    const read = () =>
      ports.callerLimiter.run(caller.account.id, () => getOperation(path.id, caller, ports))
    return operationView(await readEnded(read, query, signal, ports))
  },
})

type Ports = Needs<'background' | 'callerLimiter' | 'clock' | 'hosts' | 'operations'>
