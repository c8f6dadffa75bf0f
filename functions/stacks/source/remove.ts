import type { Needs } from '../../core/ports/ports.ts'
import type { StackRecord } from '../../core/records/stack.ts'
import { getBound, unbindSource } from '../../core/sources/stack-source-record.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { StackPath } from '../schema.ts'
import { bindingEdition } from '../source-view.ts'

export default endpoint({
  summary: 'Let a stack follow no source',
  description:
    'The stack and its files stay as they are, and can be edited from then on. A deployment in progress goes on.',
  access: 'stacks:update',
  takesIfMatch: true,
  path: StackPath,
  errors: {
    404: 'No stack has that name, or it follows no source',
    409: 'Other requests change the stack at the same time',
  },

  async run({ path, ifMatch }, ports: Needs<'stacks'>) {
    const stack = getBound(await getStack(path.name, ports))
    await unbindSource(stack, (now: StackRecord) => ifMatch.check(bindingEdition(now)), ports)
    return undefined
  },
})
