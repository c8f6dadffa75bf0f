import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { composeInput, loadReading } from '../core/stacks/compose-input.ts'
import { hiddenFiles } from '../core/stacks/hidden-files.ts'
import { setNames } from '../core/stacks/shared-variables.ts'
import { getStack } from '../core/stacks/stack-record.ts'
import { type SetPorts, takeSets } from '../core/stacks/taken-sets.ts'
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

type Ports = Needs<'stacks' | 'texts' | 'composer'> & SetPorts

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
    422: 'The files of the stack are not valid, resolving them needs stacks:secrets, or a set of variables is gone',
  },

  async run({ path, query, caller, note }, ports: Ports) {
    const stack = await getStack(path.name, ports)
    const stored = await readTexts(stack.files, ports)
    const shared = await takeSets(setNames(stored.shared), stack.hostId, ports)
    const texts = { ...stored, shared }
    // Nothing is changed, so permission to read the stack is enough to see it.
    const reading = { environment: query.environment ?? null, reach: 'host' as const }
    const input = composeInput(stack, texts, reading)
    const showsValues = caller.permissions.has('stacks:secrets')
    const hidden = hiddenFiles(texts, texts.tree)
    if (showsValues && (shared || hidden.length > 0)) note({ secretRead: {} })
    const secret = showsValues ? [] : hidden
    return loadReading(stack, texts, ports, (files) =>
      ports.composer.resolve({ ...input, ...files, secret }, { showsValues }),
    )
  },
})
