import { getOperation } from '../core/operations/operation-record.ts'
import { Operation } from '../core/operations/operation-schema.ts'
import { operationView } from '../core/operations/operation-view.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import { endpoint } from '../kit/endpoint.ts'
import { readEnded, type WaitPorts, WaitSecondsQuery } from '../kit/wait.ts'
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
    const read = (now: Caller) => getOperation(path.id, now, ports)
    const waiting = { caller, access: 'signed-in' as const, signal }
    return operationView(await readEnded(read, query, waiting, ports))
  },
})

type Ports = WaitPorts & Needs<'hosts' | 'operations'>
