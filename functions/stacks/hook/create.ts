import { createHook, type HookChangePorts } from '../../core/stack-hooks/hook-record.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { created, createdHeaders } from '../../kit/location.ts'
import { StackPath } from '../schema.ts'
import { StackHookSecret } from './schema.ts'
import { madeHookView } from './view.ts'

export default endpoint({
  summary: 'Make a hook of a stack',
  description:
    'A web address that a forge, a registry or CI calls to deploy the stack, with `pull: always`. Its deployments act as you: each has the rights that your account has then. ' +
    'The secret is returned only now; see `POST /hooks/{id}` for how callers use it.',
  access: 'stacks:deploy',
  path: StackPath,
  returns: StackHookSecret,
  returnsSecret: true,
  status: 201,
  responseHeaders: createdHeaders,
  errors: {
    403: 'The credential is an API token that may do less than its account',
    404: 'No stack has that name',
    409: 'The stack has a hook already',
  },

  async run({ path, caller }, ports: HookChangePorts) {
    const stack = await getStack(path.name, ports)
    const hook = await createHook(stack, caller, ports)
    return created(madeHookView(hook), 'stacks', stack.id, 'hook')
  },
})
