import type { Needs } from '../core/ports/ports.ts'
import { requireSource } from '../core/sources/judge-source.ts'
import { createSource, type SourceChangePorts } from '../core/sources/source-record.ts'
import { endpoint } from '../kit/endpoint.ts'
import { created, createdHeaders } from '../kit/location.ts'
import { CreateSourceBody, Source, sourceExample, sourceView } from './schema.ts'

export default endpoint({
  summary: 'Create a source of stacks',
  description:
    'Every `look_every_seconds`, the service asks which digest `ref` names, with the rights that your account has then. A registry without a public DNS name needs `stacks:privileged` unless it is allowed. ' +
    'Without `username`, the credentials that `/registries` has of the registry are used.',
  access: 'registries:manage',
  body: CreateSourceBody,
  returns: Source,
  status: 201,
  responseHeaders: createdHeaders,
  errors: {
    403: 'Your credential is limited to some hosts, or the registry needs `stacks:privileged`',
    409: 'The name is taken, or the limit of sources is reached',
  },
  examples: { returns: sourceExample },

  async run({ body, caller }, ports: Ports) {
    const { name, kind, url, ref, look_every_seconds: lookEvery, username, password } = body
    await requireSource({ url, ref }, caller, ports)
    const account =
      username === undefined || password === undefined ? undefined : { username, password }
    const asked = { name, kind, url, ref, lookEvery, account }
    const source = await createSource(asked, caller.account, ports)
    return created(sourceView(source), 'sources', source.id)
  },
})

type Ports = SourceChangePorts & Needs<'outbound' | 'registries' | 'settings'>
