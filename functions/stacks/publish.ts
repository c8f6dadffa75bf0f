import type { z } from 'zod'
import { type Published, type PublishPorts, publishStack } from '../core/publish/publish-stack.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Publication, PublishBody, publishedMax } from './publish-schema.ts'
import { StackPath } from './schema.ts'

export default endpoint({
  summary: 'Publish a stack to a registry',
  description:
    'Stores the compose files of the stack as an OCI artifact, as `docker compose publish` does, so that `docker compose -f oci://…` runs it. Files are published as they are written: variables stay expressions, and neither `.env` nor any image is published. ' +
    'What `extends` names is published too; `include` and services that only have a build are refused. ' +
    '`findings` lists what a person must accept, by its kind in `accept`; see `dry_run`. A tag is replaced only if this stack published what it has; see `replace`. ' +
    'Credentials that are stored for the registry are used. Needs the permission registries:manage too, on all hosts.',
  access: 'stacks:deploy',
  atService: true,
  path: StackPath,
  body: PublishBody,
  returns: Publication,
  noTimeout: true,
  beginsWithLease: true,
  errors: {
    403: 'You lack a permission, your credential is limited to some hosts, or you may not use the registry',
    404: 'No stack has that name',
    409: 'A finding is not accepted, the files were changed, the tag has something else, or the digest of an image is unknown',
    422: 'The stack is not valid or cannot be published, or the registry refuses it',
  },

  async run({ path, body, caller, note, begin, signal }, ports: PublishPorts) {
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
    return publicationView(
      await publishStack({ ...request, begin }, caller, ports, signal),
      !isDryRun,
    )
  },
})

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
