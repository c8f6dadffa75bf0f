import { requireEveryHost } from '../core/access/grant.ts'
import type { Needs } from '../core/ports/ports.ts'
import { getSource } from '../core/sources/source-record.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import { Source, SourcePath, sourceEdition, sourceExample, sourceView } from './schema.ts'

export default endpoint({
  summary: 'Show a source of stacks',
  description:
    'What it is, and what the service last saw of it. The password and the secret parts of its keys are never returned.',
  access: 'registries:manage',
  path: SourcePath,
  returns: Source,
  errors: {
    403: 'Your credential is limited to some hosts',
    404: 'There is no such source',
  },
  examples: { returns: sourceExample },

  async run({ path, caller }, ports: Needs<'sources'>) {
    requireEveryHost(caller, 'sources')
    const source = await getSource(path.name, ports)
    return versioned(sourceView(source), sourceEdition(source))
  },
})
