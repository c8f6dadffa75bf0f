import { z } from 'zod'
import { Base64 } from '../../kit/base64.ts'
import { StackName } from '../../kit/params.ts'

const megabyte = 1024 * 1024
/** Bytes of a file that one request may read or write. */
export const contentBytesMax = 2 * megabyte
/** Bytes of a request with such a file: JSON needs more for some characters. */
export const contentBodyMax = 4 * megabyte

const Mode = z
  .string()
  .regex(/^0?[0-7]{3}$/, 'must be three octal digits, such as 0644')
  .meta({ examples: ['0644'] })

const content = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= contentBytesMax, 'must be at most 2 MiB')
const base64 = Base64.refine(({ length }) => length <= contentBytesMax, 'must be at most 2 MiB')

const fields = {
  content: content.optional().describe('The content of a text file, at most 2 MiB in UTF-8'),
  base64: base64.optional().meta({
    type: 'string',
    contentEncoding: 'base64',
    description: 'The content of any file in base64, at most 2 MiB decoded',
  }),
  link: z.string().optional().meta({
    description:
      'Makes the path a symbolic link to this target: relative to the directory of the link, in the directory of the stack, and not behind another link',
  }),
  mode: Mode.optional().meta({
    description:
      'Permission bits in octal; a file keeps its own, a new one gets `0644`. The owner is that of the directory. Compose files always have `0644`, `.env` has `0600`',
  }),
}

type Sent = { content?: unknown; base64?: unknown; link?: unknown; mode?: unknown }

const oneOf = ({ content, base64, link }: Sent) =>
  [content, base64, link].filter((one) => one !== undefined).length === 1
const oneMessage = 'must have one of content, base64 and link'
const modeless = ({ link, mode }: Sent) => link === undefined || mode === undefined
const modeMessage = 'must have no mode with a link'

/** A file as a request sends it. */
export const FileBody = z
  .strictObject(fields)
  .refine(oneOf, oneMessage)
  .refine(modeless, modeMessage)

export const FileChange = z
  .strictObject({
    ...fields,
    revision: z.int().optional().meta({ description: 'The revision that the change is based on' }),
  })
  .refine(oneOf, oneMessage)
  .refine(modeless, modeMessage)
  .meta({ id: 'FileChange', examples: [{ content: 'listen 80;\n', revision: 1 }] })

/** Files by path; null deletes one. */
export const FilesChange = z.record(z.string(), FileBody.nullable()).meta({
  description:
    'Files by their path in the directory of the stack, such as `conf/nginx.conf`; null deletes a file, and those not listed stay. Larger ones are uploaded',
})

export const StackFile = z
  .object({
    path: z.string().describe('Path of the file in the directory of the stack'),
    size: z.int().describe('Bytes of the content, or of the target of a link'),
    mode: z.string().nullable().describe('Permission bits in octal; `null` for a link'),
    digest: z.string().nullable().meta({
      description:
        'SHA-256 of the content in hex; `null` for a link. Without stacks:secrets, that of a secret file is another value that changes with its content and is of use nowhere else, because the content of a short file could be guessed from its SHA-256',
    }),
    link: z.string().nullable().describe('Target of a symbolic link; `null` for a file'),
    secret: z.boolean().meta({
      description:
        'Its content needs the permission stacks:secrets: `.env`, `.env.*`, `*.env`, `*.key`, `*.pem`, and what `env_file` or `file` of a secret names. A change without that permission does not make a secret file public',
    }),
  })
  .meta({
    id: 'StackFile',
    examples: [
      {
        path: 'conf/nginx.conf',
        size: 11,
        mode: '0644',
        digest: 'a'.repeat(64),
        link: null,
        secret: false,
      },
    ],
  })

const EnvVariable = z
  .object({
    name: z.string().describe('Name of the variable'),
    origin: z
      .enum(['source', 'service', 'shared'])
      .describe(
        'Where its value is from: `source`, `service` if the `.env` that is kept here has it, or `shared` if only a set of variables has it',
      ),
    covers: z.boolean().describe('It is kept here in place of that of the source'),
    set: z
      .string()
      .optional()
      .describe('Name of the set of variables that has it, also if another value takes precedence'),
  })
  .meta({
    id: 'EnvVariable',
    description: 'A variable of a stack that follows a source or takes sets of variables',
  })

export const FileContent = StackFile.extend({
  content: z.string().nullable().describe('The content of a text file; `null` for any other'),
  base64: z.string().nullable().meta({
    contentEncoding: 'base64',
    description: 'The content of a file that is not text in base64; `null` for any other',
  }),
  revision: z.int().describe('The revision of the stack, for a change that is based on this one'),
  variables: z
    .array(EnvVariable)
    .optional()
    .describe(
      'Only for `.env` of a stack that follows a source or takes sets of variables: its variables, in their order, and then those of the sets',
    ),
}).meta({
  id: 'FileContent',
  examples: [
    {
      path: 'conf/nginx.conf',
      size: 11,
      mode: '0644',
      digest: 'a'.repeat(64),
      link: null,
      secret: false,
      content: 'listen 80;\n',
      base64: null,
      revision: 1,
    },
  ],
})

export const FileStackPath = z.object({ name: StackName.describe('Name of the stack') })

const path = z
  .string()
  .min(1)
  .max(1024)
  .meta({
    description: 'Path of the file in the directory of the stack, such as `conf/nginx.conf`',
    examples: ['conf/nginx.conf'],
  })

export const FileQuery = z.object({ path })

/** The number of a revision in a query; describe it where it is used. */
export const Revision = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a number')
  .transform(Number)
  .optional()
  .meta({ type: 'integer' })

export const FileRemoveQuery = z.object({
  path,
  revision: Revision.describe('The revision that the change is based on'),
})
