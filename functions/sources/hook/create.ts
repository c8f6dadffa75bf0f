import { requireEveryHost } from '../../core/access/grant.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { createSourceHook, type SourceHookChangePorts } from '../../core/sources/source-hook.ts'
import { getSource } from '../../core/sources/source-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { created, createdHeaders } from '../../kit/location.ts'
import { SourcePath } from '../schema.ts'
import { madeSourceHookView, SourceHookSecret } from './schema.ts'

export default endpoint({
  summary: 'Make a hook of a source',
  description:
    'A web address that a forge, a registry or CI calls. The service then looks at the source at once, and its stacks follow as after every look. The hook acts as you: it stops working when your account may no longer manage sources. ' +
    'The secret is returned only now; see `POST /hooks/{id}` for how callers use it.',
  access: 'registries:manage',
  path: SourcePath,
  returns: SourceHookSecret,
  returnsSecret: true,
  status: 201,
  responseHeaders: createdHeaders,
  errors: {
    403: 'Your credential is limited to some hosts, or is an API token that may do less than its account',
    404: 'There is no such source',
    409: 'The source has a hook already',
  },

  async run({ path, caller }, ports: SourceHookChangePorts & Needs<'sources'>) {
    requireEveryHost(caller, 'sources')
    const source = await getSource(path.name, ports)
    const hook = await createSourceHook(source, caller, ports)
    return created(madeSourceHookView(hook), 'sources', source.id, 'hook')
  },
})
