import type { JudgePorts } from '../../core/acts-as/judge-later-work.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { getHook } from '../../core/stack-hooks/hook-record.ts'
import { whyHookBlocked } from '../../core/stack-hooks/judge-hook.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { StackPath } from '../schema.ts'
import { StackHook } from './schema.ts'
import { hookView } from './view.ts'

export default endpoint({
  summary: 'Show the hook of a stack',
  description: 'Its address, the last request to it, and what followed. The secret is not shown.',
  access: 'stacks:deploy',
  path: StackPath,
  returns: StackHook,
  errors: { 404: 'No stack has that name, or it has no hook' },

  async run({ path }, ports: JudgePorts & Needs<'stackHooks'>) {
    const stack = await getStack(path.name, ports)
    const hook = await getHook(stack, ports)
    return hookView(hook, await whyHookBlocked(hook, stack, ports))
  },
})
