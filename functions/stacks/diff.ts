import { z } from 'zod'
import { reachOf } from '../core/access/reach.ts'
import { diffStack } from '../core/diff/diff-stack.ts'
import type { SidePorts } from '../core/diff/sides.ts'
import type { Needs } from '../core/ports/ports.ts'
import { requireOwnDirectory } from '../core/stacks/foreign-files.ts'
import { hasSecretName } from '../core/stacks/secret-paths.ts'
import { isSecretFile } from '../core/stacks/shown-files.ts'
import { getStack } from '../core/stacks/stack-record.ts'
import { allFiles } from '../core/stacks/texts.ts'
import { entryAt } from '../core/stacks/tree.ts'
import { endpoint } from '../kit/endpoint.ts'
import { capped } from '../kit/reply.ts'
import { StackPath } from './schema.ts'

/** Further files are left out. */
const filesMax = 5000

const SideName = z
  .string()
  .min(1)
  .max(64)
  .meta({ examples: ['deployed', 'host', '12', '019a0000-0000-7000-8000-000000000000'] })

const names =
  '`current` for the newest files, `deployed` for what was last written to the host, `host` for the files there now, the number of a revision, or the id of a deployment'

const DiffQuery = z.object({
  from: SideName.default('deployed').describe(`The files before: ${names}`),
  to: SideName.default('current').describe(`The files after: ${names}`),
})

const FileDiff = z
  .object({
    path: z.string().describe('Path of the file in the directory of the stack'),
    change: z.enum(['added', 'removed', 'modified']).describe('How the file differs'),
    diff: z.string().nullable().meta({
      description:
        'Unified diff in the format of Git; `null` if it is not shown. The text of a link is its target',
    }),
    hidden: z.enum(['secret', 'binary', 'large']).nullable().meta({
      description:
        'Why there is no diff. secret: it needs the permission stacks:secrets. binary: the file is not text. large: the file or its diff is larger than 1 MiB, or all diffs are larger than 4 MiB or of more than 500 files',
    }),
  })
  .meta({
    id: 'FileDiff',
    examples: [
      {
        path: 'conf/nginx.conf',
        change: 'modified',
        diff: 'diff --git a/conf/nginx.conf b/conf/nginx.conf\n--- a/conf/nginx.conf\n+++ b/conf/nginx.conf\n@@ -1,1 +1,1 @@\n-listen 80;\n+listen 8080;\n',
        hidden: null,
      },
    ],
  })

export default endpoint({
  summary: 'Compare the files of a stack',
  description:
    'Lists the files that differ between two states of the stack, sorted by path. By default these are what was last deployed and the newest files. ' +
    'The last 20 revisions are stored, and others as long as a deployment refers to them. On the host, only files of the stack and those that the service wrote are compared, without modes and links.',
  access: 'stacks:read',
  atService: true,
  path: StackPath,
  query: DiffQuery,
  returns: z.array(FileDiff).max(filesMax),
  readsSecrets: true,
  errors: {
    403: 'Others can have files in the directory of the stack on the host, and you lack stacks:privileged',
    404: 'No stack has that name, or the stack has no such revision or deployment',
    409: 'A directory of the stack on the host is a link, or has files of the service itself',
  },

  async run(
    { path, query, caller, note },
    ports: SidePorts & Needs<'stacks' | 'hosts' | 'composer'>,
  ) {
    const stack = await getStack(path.name, ports)
    if ([query.from, query.to].includes('host')) requireOwnDirectory(stack, reachOf(caller))
    const readsSecrets = caller.permissions.has('stacks:secrets')
    const files = await diffStack(stack, { ...query, readsSecrets }, ports)
    const shown = files.filter(({ diff }) => diff !== null)
    if (readsSecrets && shown.length > 0) {
      const tree = await allFiles(stack.files, stack, ports)
      const isSecret = ({ path: name }: { path: string }) => {
        const entry = entryAt(tree, name)
        return entry ? isSecretFile(name, entry, stack) : hasSecretName(name)
      }
      if (shown.some(isSecret)) note({ secretRead: {} })
    }
    return capped(files, filesMax)
  },
})
