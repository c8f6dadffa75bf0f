import { z } from 'zod'
import { findingKinds } from '../compose/publish/findings.ts'
import { EnvironmentName } from './schema.ts'

/** The maximum number of entries of each list of a publication. */
export const publishedMax = 1000

/** The audit log records a reference whole, so it is no longer than a value there. */
const referenceMax = 128

const Kind = z
  .enum(findingKinds)
  .meta({ id: 'FindingKind', description: 'What a publication would make known' })

export const PublishBody = z
  .strictObject({
    reference: z
      .string()
      .min(1)
      .max(referenceMax)
      .describe('Where to publish: registry, repository and tag; without a tag, `latest`')
      .meta({ examples: ['registry.example.org/team/shop:1.0'] }),
    environment: EnvironmentName.optional().meta({
      description: 'Overlay to publish with the other compose files; defaults to none',
    }),
    with_env: z
      .boolean()
      .optional()
      .describe(
        'Publish the files that `env_file` names too, and accept `env`; needs `stacks:secrets`',
      ),
    resolve_image_digests: z
      .boolean()
      .optional()
      .describe('Add a file that pins each image to the digest that the host of the stack has'),
    replace: z
      .boolean()
      .optional()
      .describe(
        'Replace a project that another stack or program published; needs `stacks:privileged`',
      ),
    dry_run: z.boolean().optional().describe('Send nothing, and return what would be published'),
    accept: z
      .array(Kind)
      .max(findingKinds.length)
      .optional()
      .meta({ description: 'Kinds of findings that may be published' }),
    revision: z
      .int()
      .min(1)
      .optional()
      .describe('Revision of the files that the findings were read from; another one is a 409'),
  })
  .meta({
    id: 'PublishBody',
    examples: [{ reference: 'registry.example.org/team/shop:1.0', accept: ['bind_mounts'] }],
  })

const PublishedFile = z.object({
  name: z.string().describe('Name in the published project, which has no directories'),
  path: z.string().describe('Path in the stack'),
  media_type: z.string().describe('Its kind, as the registry stores it'),
  size: z.int().describe('Bytes'),
  digest: z.string().describe('Digest of its content'),
})

const Finding = z.object({
  kind: Kind.describe('`env`: variables; `bind_mounts`; `sensitive`: credentials of any kind'),
  place: z.string().describe('Path in the model, or file of the stack with line'),
  what: z.string().describe('What it is'),
  value: z
    .string()
    .nullable()
    .describe('The paths of a mount or the sensitive value; `null` without `stacks:secrets`'),
})

export const Publication = z
  .object({
    reference: z.string().describe('Where it is published, with registry and tag'),
    digest: z.string().describe('Digest of its manifest, or the one that it would have'),
    published: z.boolean().describe('False for a dry run'),
    revision: z.int().describe('Revision of the files of the stack'),
    files: z.array(PublishedFile).max(publishedMax).describe('The files, in the order of merging'),
    findings: z.array(Finding).max(publishedMax).describe('What must be accepted'),
    warnings: z.array(z.string()).describe('What is not published'),
  })
  .meta({
    id: 'Publication',
    examples: [
      {
        reference: 'registry.example.org/team/shop:1.0',
        digest: `sha256:${'0d1e2f3a'.repeat(8)}`,
        published: true,
        revision: 3,
        files: [
          {
            name: 'compose.yaml',
            path: 'compose.yaml',
            size: 214,
            media_type: 'application/vnd.docker.compose.file+yaml',
            digest: `sha256:${'1a2b3c4d'.repeat(8)}`,
          },
        ],
        findings: [
          {
            kind: 'bind_mounts' as const,
            place: 'services.web.volumes',
            what: 'bind mount',
            value: './site:/srv',
          },
        ],
        warnings: [],
      },
    ],
  })
