import { forbidden, unprocessable } from '../../core/errors.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { isLink } from '../../core/records/stack-tree.ts'
import { envVariablesOf } from '../../core/stacks/env-parts.ts'
import { shownPath } from '../../core/stacks/file-path.ts'
import { findFile } from '../../core/stacks/find-file.ts'
import { textIfUtf8 } from '../../core/stacks/new-file.ts'
import { isSecretFile, shownFile } from '../../core/stacks/shown-files.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { readFile } from '../../core/stacks/tree.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { versioned } from '../../kit/reply.ts'
import { stackEdition } from '../edition.ts'
import { contentBytesMax, FileContent, FileQuery, FileStackPath } from '../files/schema.ts'

export default endpoint({
  summary: 'Read a file of a stack',
  description:
    'Returns the stored file, which the next deploy writes; on the host it may differ. A link is not followed. Files over 2 MiB cannot be read.',
  access: 'stacks:read',
  path: FileStackPath,
  query: FileQuery,
  returns: FileContent,
  readsSecrets: true,
  errors: {
    403: 'The file is secret and you do not have the permission stacks:secrets',
    404: 'No stack has that name, or it has no such file',
    422: 'The file is larger than 2 MiB',
  },

  async run({ path, query, caller, note }, ports: Needs<'stacks' | 'hosts' | 'texts'>) {
    const stack = await getStack(path.name, ports)
    const entry = await findFile(stack, query.path, ports)
    const readsSecrets = caller.permissions.has('stacks:secrets')
    const shown = shownFile(query.path, entry, stack, readsSecrets)
    const revision = stack.contentRevision
    const edition = stackEdition(stack)
    if (isLink(entry)) {
      return versioned({ ...shown, content: null, base64: null, revision }, edition)
    }
    if (!readsSecrets && isSecretFile(query.path, entry, stack)) {
      throw forbidden(
        `${shownPath(query.path)}: it is a secret file: reading it requires the permission stacks:secrets`,
      )
    }
    if (entry.size > contentBytesMax) {
      const message = `${shownPath(query.path)}: it has ${entry.size} bytes, more than 2 MiB`
      throw unprocessable(message, { reason: 'limit' })
    }
    if (shown.secret) note({ secretRead: { path: query.path } })
    const bytes = await readFile(entry, ports)
    const text = textIfUtf8(bytes)
    const isText = text !== undefined && !text.includes('\0')
    const content = isText
      ? { content: text, base64: null }
      : { content: null, base64: Buffer.from(bytes).toString('base64') }
    const isEnv = query.path === '.env' && text !== undefined
    const variables = isEnv ? await envVariablesOf(stack, text, ports) : undefined
    return versioned({ ...shown, ...content, revision, ...(variables && { variables }) }, edition)
  },
})
