import { requireEveryHost } from '../../core/access/grant.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { rotateSourceHook, type SourceHookChangePorts } from '../../core/sources/source-hook.ts'
import { getSource } from '../../core/sources/source-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { SourcePath } from '../schema.ts'
import { madeSourceHookView, SourceHookSecret } from './schema.ts'

export default endpoint({
  summary: 'Give the hook of a source another secret',
  description:
    'The address stays, and requests with the earlier secret are refused from then on. The hook acts as you from then on. A look that was asked for and has not begun is forgotten.',
  access: 'registries:manage',
  path: SourcePath,
  returns: SourceHookSecret,
  returnsSecret: true,
  errors: {
    403: 'Your credential is limited to some hosts, or is an API token that may do less than its account',
    404: 'There is no such source, or it has no hook',
    409: 'Other requests changed the hook at the same time',
  },

  async run({ path, caller }, ports: SourceHookChangePorts & Needs<'sources'>) {
    requireEveryHost(caller, 'sources')
    const source = await getSource(path.name, ports)
    return madeSourceHookView(await rotateSourceHook(source, caller, ports))
  },
})
