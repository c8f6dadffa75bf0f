import { requireEveryHost, requirePermissions } from '../core/access/grant.ts'
import { saverOf } from '../core/access/reach.ts'
import { conflict } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { changedSet, emptySet, setsMax } from '../core/stacks/variable-set.ts'
import { endpoint } from '../kit/endpoint.ts'
import { created, createdHeaders } from '../kit/location.ts'
import { CreateVariableSetBody, setExample, showSet, VariableSet } from './schema.ts'

export default endpoint({
  summary: 'Create a set of shared variables',
  description:
    'Stacks that list it in `shared_variables` can use its variables in their compose files, as those of `.env`, which take precedence. ' +
    'The values are stored encrypted. Needs stacks:privileged too, because they decide what stacks with access to their host run.',
  access: 'variables:manage',
  body: CreateVariableSetBody,
  returns: VariableSet,
  status: 201,
  responseHeaders: createdHeaders,
  errors: {
    403: 'You lack `stacks:privileged`, or your credential is limited to some hosts',
    409: 'A set with that name exists, or the limit of sets is reached',
  },
  examples: {
    body: { name: 'home', variables: { TZ: 'Europe/Oslo', SMTP_PASSWORD: 'a secret' } },
    returns: { ...setExample, stacks: [] },
  },

  async run({ body, caller }, { variableSets, clock }: Needs<'variableSets' | 'clock'>) {
    requireEveryHost(caller, 'variables')
    requirePermissions(caller, ['stacks:privileged'], 'variables')
    if ((await variableSets.list()).length >= setsMax) {
      throw conflict(`the limit of ${setsMax} sets of variables is reached`, { reason: 'limit' })
    }
    const { name, ...change } = body
    const now = clock.now()
    const set = changedSet(emptySet(name, now), change, saverOf(caller.account), now)
    if (!(await variableSets.create(set))) {
      throw conflict(`variables ${name}: a set with that name exists`, { reason: 'exists' })
    }
    return created(showSet(set, { caller, stacks: [] }), 'variables', name)
  },
})
