import { requireEveryHost } from '../../core/access/grant.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { removeSourceHook } from '../../core/sources/source-hook.ts'
import { getSource } from '../../core/sources/source-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { SourcePath } from '../schema.ts'

export default endpoint({
  summary: 'Delete the hook of a source',
  description:
    'Requests to its address are refused from then on. A sync in progress goes on. A new hook gets another address.',
  access: 'registries:manage',
  path: SourcePath,
  errors: {
    403: 'Your credential is limited to some hosts',
    404: 'There is no such source, or it has no hook',
  },

  async run({ path, caller }, ports: Needs<'sourceHooks' | 'sources'>) {
    requireEveryHost(caller, 'sources')
    await removeSourceHook(await getSource(path.name, ports), ports)
    return undefined
  },
})
