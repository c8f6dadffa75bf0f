import { z } from 'zod'
import { requireEveryHost } from '../core/access/grant.ts'
import type { Needs } from '../core/ports/ports.ts'
import { sourcesMax } from '../core/sources/source-record.ts'
import { endpoint } from '../kit/endpoint.ts'
import { after, nextByNameHeader } from '../kit/params.ts'
import { pagedByName } from '../kit/reply.ts'
import { Source, sourceExample, sourceView } from './schema.ts'

export default endpoint({
  summary: 'List the sources of stacks',
  description: 'Sorted by name. Passwords and the secret parts of keys are never returned.',
  access: 'registries:manage',
  query: z.object({ after }),
  returns: z.array(Source).max(sourcesMax),
  responseHeaders: nextByNameHeader,
  errors: { 403: 'Your credential is limited to some hosts' },
  examples: { returns: [sourceExample] },

  async run({ query, caller }, { sources }: Needs<'sources'>) {
    requireEveryHost(caller, 'sources')
    const shown = (await sources.list()).map(sourceView)
    return pagedByName(shown, {
      cap: sourcesMax,
      nameOf: ({ name }) => name,
      after: query.after,
    })
  },
})
