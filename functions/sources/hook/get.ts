import { requireEveryHost } from '../../core/access/grant.ts'
import type { JudgePorts } from '../../core/acts-as/judge-later-work.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { getSourceHook, whySourceHookBlocked } from '../../core/sources/source-hook.ts'
import { getSource } from '../../core/sources/source-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { SourcePath } from '../schema.ts'
import { SourceHook, sourceHookView } from './schema.ts'

export default endpoint({
  summary: 'Show the hook of a source',
  description: 'Its address, the last request to it, and what followed. The secret is not shown.',
  access: 'registries:manage',
  path: SourcePath,
  returns: SourceHook,
  errors: {
    403: 'Your credential is limited to some hosts',
    404: 'There is no such source, or it has no hook',
  },

  async run({ path, caller }, ports: JudgePorts & Needs<'sourceHooks' | 'sources'>) {
    requireEveryHost(caller, 'sources')
    const source = await getSource(path.name, ports)
    const hook = await getSourceHook(source, ports)
    return sourceHookView(hook, await whySourceHookBlocked(hook, ports))
  },
})
