import type { Needs } from '../../core/ports/ports.ts'
import { removeHook } from '../../core/stack-hooks/hook-record.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { StackPath } from '../schema.ts'

export default endpoint({
  summary: 'Delete the hook of a stack',
  description:
    'Requests to its address are refused from then on. A deployment in progress goes on. A new hook gets another address.',
  access: 'stacks:deploy',
  path: StackPath,
  errors: { 404: 'No stack has that name, or it has no hook' },

  async run({ path }, ports: Needs<'stackHooks' | 'stacks'>) {
    const stack = await getStack(path.name, ports)
    await removeHook(stack, ports)
    return undefined
  },
})
