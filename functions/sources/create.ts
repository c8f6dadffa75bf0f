import { invalid } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { requireSource } from '../core/sources/judge-source.ts'
import { tokenRightsOf } from '../core/sources/judge-sync.ts'
import { ageKeyOf, checkAccess, keyOf, sourceUrl } from '../core/sources/source-access.ts'
import { createSource, type SourceChangePorts } from '../core/sources/source-record.ts'
import { endpoint } from '../kit/endpoint.ts'
import { created, createdHeaders } from '../kit/location.ts'
import { accessOf, CreateSourceBody, Source, sourceExample, sourceView, urlMax } from './schema.ts'

export default endpoint({
  summary: 'Create a source of stacks',
  description:
    'Every `look_every_seconds`, the service asks which digest or commit `ref` names, with the rights that your account has then. A registry without a public DNS name needs `stacks:privileged` unless it is allowed, and so does every such server of git. ' +
    'Without `username`, the credentials that `/registries` has of the registry are used. For git over ssh a key is made: add its `public_key` at the server, look, and confirm the key that the server has with `host_key`. Files that `sops` encrypted for its `age_recipient` are decrypted when a stack takes them.',
  access: 'registries:manage',
  body: CreateSourceBody,
  returns: Source,
  status: 201,
  responseHeaders: createdHeaders,
  errors: {
    403: 'Your credential is limited to some hosts, or the server needs `stacks:privileged`',
    409: 'The name is taken, or the limit of sources is reached',
  },
  examples: { returns: sourceExample },

  async run({ body, caller }, ports: Ports) {
    const { name, kind, ref, look_every_seconds: lookEvery, username, password } = body
    await requireSource(body, caller, ports)
    const address = { kind, url: sourceUrl(body), ref }
    if (address.url.length > urlMax)
      throw invalid(`body.url: longer than ${urlMax} characters: ${address.url}`)
    const access = checkAccess(address, accessOf(body))
    const account =
      username === undefined || password === undefined ? undefined : { username, password }
    const key = await keyOf(name, { address, privateKey: body.private_key }, undefined, ports)
    const age = await ageKeyOf(body.age_identity, undefined, ports)
    const certificateAuthority = access.certificateAuthority ?? undefined
    const own = { age, certificateAuthority, hostKey: body.host_key }
    const tokenRights = await tokenRightsOf(caller, ports)
    const asked = { ...address, name, lookEvery, account, key, tokenRights, ...own }
    const source = await createSource(asked, caller.account, ports)
    return created(sourceView(source), 'sources', source.id)
  },
})

type Ports = SourceChangePorts &
  Needs<'accounts' | 'outbound' | 'registries' | 'roles' | 'settings' | 'sourceKeys'>
