import { type HookChangePorts, rotateHook } from '../../core/stack-hooks/hook-record.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { StackPath } from '../schema.ts'
import { StackHookSecret } from './schema.ts'
import { madeHookView } from './view.ts'

export default endpoint({
  summary: 'Give the hook of a stack another secret',
  description:
    'The address stays, and requests with the earlier secret are refused from then on. The deployments act as you from then on. A deployment that was asked for and has not begun is forgotten.',
  access: 'stacks:deploy',
  path: StackPath,
  returns: StackHookSecret,
  returnsSecret: true,
  errors: {
    403: 'The credential is an API token that may do less than its account',
    404: 'No stack has that name, or it has no hook',
    409: 'Other requests changed the hook at the same time',
  },

  async run({ path, caller }, ports: HookChangePorts) {
    const stack = await getStack(path.name, ports)
    return madeHookView(await rotateHook(stack, caller, ports))
  },
})
