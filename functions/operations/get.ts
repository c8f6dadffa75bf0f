import { getOperation } from '../core/operations/operation-record.ts'
import { Operation } from '../core/operations/operation-schema.ts'
import { operationView } from '../core/operations/operation-view.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { OperationPath } from './schema.ts'

export default endpoint({
  summary: 'Show an operation',
  description:
    'Includes its result once it has succeeded. You need the permissions and the scope to start it yourself.',
  access: 'signed-in',
  path: OperationPath,
  returns: Operation,
  errors: {
    403: 'You lack a permission or the scope to start such an operation',
    404: 'There is no such operation',
  },

  async run({ path, caller }, ports: Needs<'hosts' | 'operations'>) {
    return operationView(await getOperation(path.id, caller, ports))
  },
})
