import { requirePermissions } from '../core/access/grant.ts'
import { invalid } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { applyPatch, checkPatch } from '../core/stacks/apply-patch.ts'
import { diagnoseStack } from '../core/stacks/diagnose-stack.ts'
import { hiddenFiles } from '../core/stacks/hidden-files.ts'
import type { LoadPorts } from '../core/stacks/load-project.ts'
import { revisionFiles } from '../core/stacks/revision-files.ts'
import { getStack } from '../core/stacks/stack-record.ts'
import { readTexts, type StoredTexts } from '../core/stacks/texts.ts'
import { readTree } from '../core/stacks/tree.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Reply } from '../kit/reply.ts'
import { patchOf } from './files/patch.ts'
import { StackProblems, StackToValidate } from './validate-schema.ts'

const megabyte = 1024 * 1024

/** Files that belong to no stack. */
const nothing: StoredTexts = { compose: '', env: null, overlays: {}, tree: {} }

type Ports = Needs<'stacks' | 'deployments'> & LoadPorts

export default endpoint({
  summary: 'Find all problems of the files of a stack',
  description:
    'Checks the files as saving and deploying them would, and returns every problem with its position; an empty list if there is none. Stores nothing. ' +
    'With `stack`, the stored files are used where none are sent, which also requires stacks:read. ' +
    'Without stacks:secrets, the values of stored files such as `.env` are not used: what depends on them is not checked. ' +
    'If there are more problems than the list can have, it is truncated.',
  access: 'stacks:create',
  changes: false,
  body: StackToValidate,
  bodyLimit: 4 * megabyte,
  returns: StackProblems,
  errors: { 404: 'No stack has that name, or the revision is no longer stored' },

  async run({ body, caller }, ports: Ports) {
    if (body.stack === undefined && body.compose === undefined) {
      throw invalid('body.compose: required without a stack')
    }
    if (body.stack === undefined && body.revision !== undefined) {
      throw invalid('body.revision: only with a stack')
    }
    if (body.stack !== undefined) requirePermissions(caller, ['stacks:read'], 'body.stack')
    const stack = body.stack === undefined ? null : await getStack(body.stack, ports)
    const files = stack && (await revisionFiles(stack, body.revision, ports))
    const stored = files ? await readTexts(files, ports) : nothing
    const place = { composeFiles: stack?.composeFiles, ...(files ? { files } : {}) }
    const patch = patchOf(body, place)
    checkPatch(patch, place)
    const texts = await applyPatch(stored, patch, place, ports)
    const now = stack ? await readTree(stack.files, ports) : {}
    // A stored file that the request replaces is not hidden: its content comes from the caller.
    const secret = hiddenFiles(stored, now).filter((path) => !patch.has(path))
    const asked = { stack, texts, secret, environment: body.environment }
    const { problems, isPartial } = await diagnoseStack(asked, caller, ports)
    return isPartial ? new Reply(problems, { headers: { 'X-Result-Truncated': 'true' } }) : problems
  },
})
