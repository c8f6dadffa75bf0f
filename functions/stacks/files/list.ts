import { z } from 'zod'
import type { Needs } from '../../core/ports/ports.ts'
import { revisionTree } from '../../core/stacks/revision-tree.ts'
import { shownFiles } from '../../core/stacks/shown-files.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { FileStackPath, Revision, StackFile } from './schema.ts'

export default endpoint({
  summary: 'List the files of a stack',
  description:
    'Lists compose.yaml, `.env`, overlays and all other files, sorted by path. The last 20 revisions are stored, and others as long as a deployment refers to them.',
  access: 'stacks:read',
  path: FileStackPath,
  query: z.object({
    revision: Revision.describe('Which revision to list; defaults to the current one'),
  }),
  returns: z.array(StackFile).max(20_000),
  errors: { 404: 'No stack has that name, or the revision is not stored' },

  async run({ path, query, caller }, ports: Needs<'stacks' | 'hosts' | 'texts' | 'deployments'>) {
    const stack = await getStack(path.name, ports)
    const tree = await revisionTree(stack, query.revision, ports)
    return shownFiles(tree, stack, caller.permissions.has('stacks:secrets'))
  },
})
