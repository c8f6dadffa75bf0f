import { requireEveryHost } from '../core/access/grant.ts'
import { lookNow, type SourceLookPorts } from '../core/sources/look-at-source.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Source, SourcePath, sourceExample, sourceView } from './schema.ts'

export default endpoint({
  summary: 'Look at a source of stacks now',
  description:
    'Asks what the reference names, with the rights of the account that the source acts as. A source that cannot be read is a 200 with `last_error`.',
  access: 'registries:manage',
  atService: true,
  noTimeout: true,
  limitsCaller: true,
  path: SourcePath,
  returns: Source,
  errors: {
    403: 'Your credential is limited to some hosts',
    404: 'There is no such source',
    409: 'It is being looked at for longer than 20 seconds',
  },
  examples: { returns: sourceExample },

  async run({ path, caller }, ports: SourceLookPorts) {
    requireEveryHost(caller, 'sources')
    return sourceView(await lookNow(path.name, ports, ports.background.stopping))
  },
})
