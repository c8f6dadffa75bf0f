import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { composeInput, loadReading } from '../core/stacks/compose-input.ts'
import { hiddenFiles } from '../core/stacks/hidden-files.ts'
import { getStack } from '../core/stacks/stack-record.ts'
import { readTexts } from '../core/stacks/texts.ts'
import { endpoint } from '../kit/endpoint.ts'
import { EnvironmentName, StackPath } from './schema.ts'

const ConfigQuery = z.object({
  environment: EnvironmentName.optional().meta({ description: 'Overlay to apply' }),
})

const ResolvedModel = z.record(z.string(), z.unknown()).meta({
  id: 'ResolvedModel',
  description: 'A compose file in long form, as `docker compose config --format json` shows it',
  examples: [
    {
      name: 'shop',
      services: { web: { image: 'nginx:1.29', networks: { default: null } } },
      networks: { default: { name: 'shop_default', ipam: {} } },
    },
  ],
})

export default endpoint({
  summary: 'Show the resolved model of a stack',
  description:
    'Returns what a deploy would deploy, in the form of `docker compose config --format json`: merged, with variables substituted, in long form; `$$` is a dollar. ' +
    'Without the permission stacks:secrets it is resolved without values: expressions such as `${NAME:-x}` stay as they are written, ' +
    'short forms with an expression stay short, and files of variables are named but not read.',
  access: 'stacks:read',
  path: StackPath,
  query: ConfigQuery,
  returns: ResolvedModel,
  readsSecrets: true,
  errors: {
    404: 'No stack has that name',
    422: 'The files of the stack are not valid, or resolving them needs stacks:secrets',
  },

  async run({ path, query, caller, note }, ports: Needs<'stacks' | 'texts' | 'composer'>) {
    const stack = await getStack(path.name, ports)
    const texts = await readTexts(stack.files, ports)
    // Nothing is changed, so permission to read the stack is enough to see it.
    const reading = { environment: query.environment ?? null, reach: 'host' as const }
    const input = composeInput(stack, texts, reading)
    const showsValues = caller.permissions.has('stacks:secrets')
    const hidden = hiddenFiles(texts, texts.tree)
    if (showsValues && hidden.length > 0) note({ secretRead: {} })
    const secret = showsValues ? [] : hidden
    return loadReading(stack, texts, ports, (files) =>
      ports.composer.resolve({ ...input, ...files, secret }, { showsValues }),
    )
  },
})
