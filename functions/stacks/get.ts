import type { Needs } from '../core/ports.ts'
import { conditionsOf } from '../core/stacks/condition.ts'
import { driftOf } from '../core/stacks/drift.ts'
import { policyWarnings } from '../core/stacks/judge.ts'
import { getStack } from '../core/stacks/locate.ts'
import { hostFiles, readTexts } from '../core/stacks/texts.ts'
import { endpoint } from '../kit/endpoint.ts'
import { StackDetails, StackPath } from './schema.ts'
import { stackView } from './view.ts'

export default endpoint({
  summary: 'Show a stack and its files',
  access: 'stacks:read',
  path: StackPath,
  returns: StackDetails,
  fails: { 404: 'No stack has that name' },

  async run({ path, caller }, ports: Needs<'stacks' | 'hosts' | 'texts' | 'engines' | 'clock'>) {
    const stack = await getStack(path.name, ports)
    const [texts, [condition], drift] = await Promise.all([
      readTexts(stack.files, ports),
      conditionsOf([stack], ports),
      driftOf(stack, ports),
    ])
    const files = hostFiles(texts, stack)
      .map((file) => ({ path: file.path, size: file.content.length }))
      .sort((one, other) => (one.path < other.path ? -1 : 1))
    return {
      ...stackView(stack, condition!),
      compose: texts.compose,
      env: caller.permissions.has('stacks:secrets') ? texts.env : null,
      overlays: texts.overlays,
      files,
      drift,
      warnings: policyWarnings(stack),
    }
  },
})
