import { requireEveryHost } from '../core/access/grant.ts'
import { bindAccount } from '../core/acts-as/bind-account.ts'
import { invalid } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { requireSource } from '../core/sources/judge-source.ts'
import { tokenRightsOf } from '../core/sources/judge-sync.ts'
import { ageKeyOf, checkAccess, isUrlOf, keyOf } from '../core/sources/source-access.ts'
import {
  changedSource,
  changeSource,
  getSource,
  type SourceChangePorts,
} from '../core/sources/source-record.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import {
  accessOf,
  Source,
  SourcePath,
  sourceEdition,
  sourceExample,
  sourceView,
  UpdateSourceBody,
} from './schema.ts'

export default endpoint({
  summary: 'Update a source of stacks',
  description:
    'Omitted fields keep their values. It acts as you from then on, and is looked at soon. Another user name needs its password.',
  access: 'registries:manage',
  takesIfMatch: true,
  path: SourcePath,
  body: UpdateSourceBody,
  returns: Source,
  errors: {
    403: 'Your credential is limited to some hosts, or the server needs `stacks:privileged`',
    404: 'There is no such source',
    409: 'Other requests change the source at the same time',
  },
  examples: { body: { ref: '1.1' }, returns: sourceExample },

  async run({ path, body, caller, ifMatch }, ports: Ports) {
    requireEveryHost(caller, 'sources')
    const source = await getSource(path.name, ports)
    for (const [field, isOther] of [
      ['name', body.name !== undefined && body.name !== source.id],
      ['kind', body.kind !== undefined && body.kind !== source.kind],
      ['url', body.url !== undefined && !isUrlOf(source, body.url)],
    ] as const) {
      if (isOther) throw invalid(`body.${field}: cannot be changed: make another source instead`)
    }
    const { ref, look_every_seconds: lookEvery } = body
    await requireSource(
      { kind: source.kind, url: source.url, ref: ref ?? source.ref },
      caller,
      ports,
    )
    const access = checkAccess(source, accessOf(body))
    const { privateKey } = access
    const key = await keyOf(source.id, { address: source, privateKey }, source.key, ports)
    const { age_identity: identity } = body
    const age = await ageKeyOf(identity, source.age, ports)
    const actsAs = await bindAccount(caller.account, [], ports)
    const tokenRights = await tokenRightsOf(caller, ports)
    const saved = await changeSource(
      source,
      (now) => {
        ifMatch.check(sourceEdition(now))
        const keys = {
          key: privateKey === undefined ? now.key : key,
          age: identity === undefined ? (now.age ?? age) : age,
        }
        const change = { ...access, ...keys, ref, lookEvery }
        return { ...changedSource(now, change, ports.clock.now()), actsAs, tokenRights }
      },
      ports,
    )
    const shown = saved ?? (await getSource(path.name, ports))
    return versioned(sourceView(shown), sourceEdition(shown))
  },
})

type Ports = SourceChangePorts &
  Needs<'accounts' | 'outbound' | 'registries' | 'roles' | 'settings' | 'sourceKeys'>
