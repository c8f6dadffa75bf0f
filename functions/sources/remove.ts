import { requireEveryHost } from '../core/access/grant.ts'
import type { Needs } from '../core/ports/ports.ts'
import { removeHookOfSource } from '../core/sources/source-hook.ts'
import { getSource, refuseFollowed } from '../core/sources/source-record.ts'
import { endpoint } from '../kit/endpoint.ts'
import { removeMatching } from '../kit/entity-tag.ts'
import { SourcePath, sourceEdition } from './schema.ts'

export default endpoint({
  summary: 'Delete a source of stacks',
  description:
    'The service no longer asks it. Its hook is deleted too. Nothing is deleted at the source.',
  access: 'registries:manage',
  takesIfMatch: true,
  path: SourcePath,
  errors: {
    403: 'Your credential is limited to some hosts',
    404: 'There is no such source',
    409: 'A stack follows it',
  },

  async run({ path, caller, ifMatch }, ports: Needs<'sourceHooks' | 'sources' | 'stacks'>) {
    requireEveryHost(caller, 'sources')
    const source = await getSource(path.name, ports)
    ifMatch.check(sourceEdition(source))
    await refuseFollowed(source, ports)
    if (!(await removeMatching(source, ports.sources, ifMatch))) await getSource(path.name, ports)
    await removeHookOfSource(source, ports)
    return undefined
  },
})
