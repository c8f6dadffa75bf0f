import { z } from 'zod'
import type { Needs } from '../../core/ports/ports.ts'
import { pageFilesMax, readContents } from '../../core/stacks/read-contents.ts'
import { revisionTree } from '../../core/stacks/revision-tree.ts'
import { isSecretFile } from '../../core/stacks/shown-files.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { entryAt } from '../../core/stacks/tree.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { FileStackPath, Revision } from '../files/schema.ts'

const ContentsQuery = z.object({
  revision: Revision.describe('Which revision to read; defaults to the current one'),
  path: z
    .string()
    .max(1024)
    .default('')
    .describe('Leaves out the files before this path; defaults to the first one'),
  offset: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a number of bytes')
    .transform(Number)
    .default(0)
    .meta({
      type: 'integer',
      minimum: 0,
      default: 0,
      description: 'Leaves out as many bytes of the file at `path`',
    }),
})

const Part = z.object({
  path: z.string().describe('Path of the file in the directory of the stack'),
  offset: z.int().describe('How many bytes of the file are before this part'),
  base64: z.string().meta({
    contentEncoding: 'base64',
    description: 'The content of the file from there on, in base64',
  }),
})

const Place = z.object({
  path: z.string().describe('`path` of the next request'),
  offset: z.int().describe('`offset` of the next request'),
})

const StackContents = z
  .object({
    revision: z.int().describe('The revision that was read; use it in the next request'),
    parts: z.array(Part).max(pageFilesMax).describe('Files and parts of files, sorted by path'),
    next: Place.nullable().describe('Where the next response begins; `null` after the last file'),
  })
  .meta({
    id: 'StackContents',
    examples: [
      {
        revision: 1,
        parts: [{ path: 'conf/nginx.conf', offset: 0, base64: 'bGlzdGVuIDgwOwo=' }],
        next: null,
      },
    ],
  })

export default endpoint({
  summary: 'Read all files of a stack',
  description:
    'Returns the contents of the stored files, at most 4 MiB and 500 files at a time. The list of files has their modes, digests and links. ' +
    'Without the permission stacks:secrets, secret files are left out. The last 20 revisions are stored, and others as long as a deployment refers to them.',
  access: 'stacks:read',
  path: FileStackPath,
  query: ContentsQuery,
  returns: StackContents,
  readsSecrets: true,
  errors: { 404: 'No stack has that name, or the revision is not stored' },

  async run(
    { path, query, caller, note },
    ports: Needs<'stacks' | 'hosts' | 'texts' | 'deployments'>,
  ) {
    const stack = await getStack(path.name, ports)
    const revision = query.revision ?? stack.contentRevision
    const tree = await revisionTree(stack, revision, ports)
    const readsSecrets = caller.permissions.has('stacks:secrets')
    const { parts, next } = await readContents(
      tree,
      query,
      (name, file) => readsSecrets || !isSecretFile(name, file, stack),
      ports,
    )
    const isSecret = (name: string) => {
      const entry = entryAt(tree, name)
      return entry !== undefined && isSecretFile(name, entry, stack)
    }
    if (parts.some((part) => isSecret(part.path))) note({ secretRead: {} })
    const shown = parts.map(({ data, ...place }) => ({
      ...place,
      base64: Buffer.from(data).toString('base64'),
    }))
    return { revision, parts: shown, next }
  },
})
