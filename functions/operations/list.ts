import { z } from 'zod'
import { mayReadOperation } from '../core/operations/operation-record.ts'
import { OperationHead } from '../core/operations/operation-schema.ts'
import { operationHeadView } from '../core/operations/operation-view.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { nextHeader } from '../kit/params.ts'
import { cutAt } from '../kit/reply.ts'
import { OperationsQuery, operationsMax } from './schema.ts'

export default endpoint({
  summary: 'List operations',
  description:
    'Long work that was started with `wait=false` and has no other record: pulls and prunes of images, publications and verifications of backups. Newest first, without their results. ' +
    'They are kept for a day after their end. You see those that you have the permissions and the scope to start yourself.',
  access: 'signed-in',
  query: OperationsQuery,
  returns: z.array(OperationHead).max(operationsMax),
  responseHeaders: nextHeader,

  async run({ query: { kind, status, before }, caller }, ports: Needs<'hosts' | 'operations'>) {
    const { operations, next } = await ports.operations.list({
      before,
      limit: operationsMax,
      where: (operation) =>
        (kind === undefined || operation.kind === kind) &&
        (status === undefined || operation.status === status) &&
        mayReadOperation(operation, caller),
    })
    const shown = operations.map(operationHeadView)
    return next === undefined ? shown : cutAt(shown, next)
  },
})
