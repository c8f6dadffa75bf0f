import type { Needs } from '../../core/ports/ports.ts'
import { getBound } from '../../core/sources/stack-source-record.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { versioned } from '../../kit/reply.ts'
import { StackPath } from '../schema.ts'
import { StackSource } from '../source-schema.ts'
import { bindingEdition, bindingView } from '../source-view.ts'

export default endpoint({
  summary: 'Show how a stack follows a source',
  description: 'What its files were taken from, what waits, and why it does not follow now.',
  access: 'stacks:read',
  path: StackPath,
  returns: StackSource,
  errors: { 404: 'No stack has that name, or it follows no source' },

  async run({ path, caller }, ports: Needs<'sources' | 'stacks'>) {
    const stack = getBound(await getStack(path.name, ports))
    const source = await ports.sources.find(stack.source.source)
    return versioned(bindingView(stack.source, source, caller), bindingEdition(stack))
  },
})
