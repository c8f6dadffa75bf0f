import type { z } from 'zod'
import { hostNameOf } from '../core/hosts/host-name.ts'
import { Operation } from '../core/operations/operation-schema.ts'
import { type OperationPorts, startOperation } from '../core/operations/start-operation.ts'
import type { Needs } from '../core/ports/ports.ts'
import {
  type PreparedPublication,
  type Published,
  type PublishPorts,
  preparePublish,
} from '../core/publish/publish-stack.ts'
import type { Caller } from '../core/records/account.ts'
import type { AuditTrail } from '../core/records/audit-row.ts'
import { acceptedOperation } from '../kit/accepted-operation.ts'
import { endpoint } from '../kit/endpoint.ts'
import { operationHeaders, WaitQuery } from '../kit/wait.ts'
import { Publication, PublishBody, publishedMax } from './publish-schema.ts'
import { StackPath } from './schema.ts'

export default endpoint({
  summary: 'Publish a stack to a registry',
  description:
    'Stores the compose files of the stack as an OCI artifact, as `docker compose publish` does, so that `docker compose -f oci://…` runs it. Files are published as they are written: variables stay expressions, and neither `.env` nor any image is published. ' +
    'What `extends` names is published too; `include` and services that only have a build are refused. ' +
    '`findings` lists what a person must accept, by its kind in `accept`; see `dry_run`. A tag is replaced only if this stack published what it has; see `replace`. ' +
    'Credentials that are stored for the registry are used. A dry run is always waited for. Needs the permission registries:manage too, on all hosts.',
  access: 'stacks:deploy',
  atService: true,
  path: StackPath,
  query: WaitQuery,
  body: PublishBody,
  returns: Publication,
  accepts: Operation,
  otherResponses: { 202: 'With wait=false: the stack was checked, and is being pushed' },
  responseHeaders: operationHeaders(),
  noTimeout: true,
  beginsWithLease: true,
  errors: {
    403: 'You lack a permission, your credential is limited to some hosts, or you may not use the registry',
    404: 'No stack has that name',
    409: 'A finding is not accepted, the files were changed, the tag has something else, or the digest of an image is unknown',
    422: 'The stack is not valid or cannot be published, or the registry refuses it',
  },

  async run({ path, query, body, caller, note, begin, trail, signal }, ports: Ports) {
    const isDryRun = body.dry_run === true
    if (isDryRun) note({ unchanged: true })
    const request = {
      stack: path.name,
      reference: body.reference,
      revision: body.revision,
      isDryRun,
      replacesOthers: body.replace ?? false,
      accepted: body.accept ?? [],
      environment: body.environment ?? null,
      withVariables: body.with_env ?? false,
      resolveDigests: body.resolve_image_digests ?? false,
    }
    const prepared = await preparePublish(request, caller, ports)
    if (isDryRun) return publicationView(prepared.published(prepared.digest, caller), false)
    if (!query.wait) {
      return acceptedOperation(await startPublishing(path.name, prepared, caller, trail(), ports))
    }
    await begin()
    return publicationView(prepared.published(await prepared.push(signal), caller), true)
  },
})

type Ports = OperationPorts & PublishPorts & Needs<'hosts'>

/** A viewer from whom the values of findings are hidden: other users read them in the record. */
const anyReader = { permissions: new Set<never>() }

async function startPublishing(
  stack: string,
  { hostId, push, published }: PreparedPublication,
  caller: Caller,
  unaudited: AuditTrail,
  ports: Ports,
) {
  const request = {
    kind: 'stack_publish',
    subject: { kind: 'stack', id: stack, name: stack },
    hostId,
    hostName: await hostNameOf(hostId, ports),
    readers: { permissions: ['stacks:deploy', 'registries:manage'], everyHost: true },
    unaudited,
  } as const
  return startOperation(request, caller, ports, (execute, ending) =>
    execute(
      async (signal) => ({ ...publicationView(published(await push(signal), anyReader), true) }),
      ending,
    ),
  )
}

function publicationView(
  { files, findings, warnings, ...rest }: Published,
  published: boolean,
): z.input<typeof Publication> {
  const more = findings.length - publishedMax
  return {
    ...rest,
    published,
    files: files.map(({ mediaType: media_type, ...file }) => ({ ...file, media_type })),
    findings: findings.slice(0, publishedMax),
    warnings: [...warnings, ...(more > 0 ? [`${more} more findings are not listed`] : [])],
  }
}
