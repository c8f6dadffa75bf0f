import { cancelOperation } from '../core/operations/operation-record.ts'
import { Operation } from '../core/operations/operation-schema.ts'
import type { Needs } from '../core/ports/ports.ts'
import { acceptedOperation } from '../kit/accepted-operation.ts'
import { endpoint } from '../kit/endpoint.ts'
import { operationHeaders } from '../kit/wait.ts'
import { OperationPath } from './schema.ts'

export default endpoint({
  summary: 'Cancel an operation',
  description:
    'Works for a pull, for the verification of a backup, for a pause of the service, and for its upgrade until its container is being replaced. About a second later the operation ends as `interrupted`, with the error `cancelled by` and the user. ' +
    'You can repeat the request while the operation runs. Whoever could start the operation can cancel it.',
  access: 'signed-in',
  path: OperationPath,
  returns: Operation,
  status: 202,
  responseHeaders: operationHeaders(),
  errors: {
    403: 'You lack a permission or the scope to start such an operation',
    404: 'There is no such operation',
    409: 'The operation has ended, or cannot be cancelled',
  },

  async run({ path, caller }, ports: Needs<'clock' | 'hosts' | 'operations'>) {
    return acceptedOperation(await cancelOperation(path.id, caller, ports))
  },
})
