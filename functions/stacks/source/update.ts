import type { StackRecord } from '../../core/records/stack.ts'
import { type BindPorts, bindSource } from '../../core/sources/stack-source-record.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { versioned } from '../../kit/reply.ts'
import { StackPath } from '../schema.ts'
import { StackSource, StackSourceBody } from '../source-schema.ts'
import { bindingEdition, bindingView } from '../source-view.ts'

export default endpoint({
  summary: 'Let a stack follow a source',
  description:
    'From then on the files of the stack are those of the source, and other requests cannot change them; files that the source does not have stay. Equal files change nothing. ' +
    'Syncs and deployments act as you: each has the rights that your account has then.',
  access: 'stacks:update',
  takesIfMatch: true,
  path: StackPath,
  body: StackSourceBody,
  returns: StackSource,
  errors: {
    403: 'You lack `stacks:deploy` or `registries:manage`, your credential is limited to some hosts, or it is an API token that may do less than its account',
    404: 'No stack or no source has that name',
    409: 'An account or a token with fewer rights than you saved the source last, or other requests change the stack at the same time',
  },

  async run({ path, body, caller, ifMatch }, ports: BindPorts) {
    const stack = await getStack(path.name, ports)
    const { source: name, path: folder, also, on_change: onChange, overwrite } = body
    const terms = { path: folder, also: [...new Set(also)], onChange, overwrite }
    const check = (now: StackRecord) => ifMatch.check(bindingEdition(now))
    const bound = await bindSource(stack, name, terms, caller, check, ports)
    const source = await ports.sources.find(name)
    return versioned(bindingView(bound.source, source, caller), bindingEdition(bound))
  },
})
