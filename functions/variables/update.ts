import { requireEveryHost, requirePermissions } from '../core/access/grant.ts'
import { saverOf } from '../core/access/reach.ts'
import { conflict, invalid } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { changedSet, getSet, stacksBySet } from '../core/stacks/variable-set.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import { SetPath, setExample, showSet, UpdateVariableSetBody, VariableSet } from './schema.ts'

export default endpoint({
  summary: 'Update a set of shared variables',
  description:
    'Omitted fields and variables keep their values. Stacks that take the set run as before until their next deploy, and say so: see `variables_changed`. Needs stacks:privileged too.',
  access: 'variables:manage',
  takesIfMatch: true,
  path: SetPath,
  body: UpdateVariableSetBody,
  returns: VariableSet,
  errors: {
    400: 'The name differs, or the set would be too large',
    403: 'You lack `stacks:privileged`, or your credential is limited to some hosts',
    404: 'There is no such set of variables',
    409: 'The set is being changed by another request',
  },
  examples: {
    body: { variables: { TZ: 'Europe/Oslo', OLD_NAME: null } },
    returns: setExample,
  },

  async run(
    { path, body, caller, ifMatch },
    ports: Needs<'clock' | 'hosts' | 'stacks' | 'variableSets'>,
  ) {
    requireEveryHost(caller, 'variables')
    requirePermissions(caller, ['stacks:privileged'], 'variables')
    const set = await getSet(path.name, ports)
    if (body.name !== undefined && body.name !== set.id) {
      throw invalid('body.name: cannot be changed: create another set instead')
    }
    ifMatch.check(set.revision)
    const next = changedSet(set, body, saverOf(caller.account), ports.clock.now())
    const saved = await ports.variableSets.replace({ ...next, revision: set.revision })
    if (!saved) throw conflict('the set is being changed by another request: try again')
    const stacks = (await stacksBySet(ports)).get(set.id)
    return versioned(showSet(saved, { caller, stacks }), saved.revision)
  },
})
