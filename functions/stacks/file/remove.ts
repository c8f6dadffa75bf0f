import type { StackRecord } from '../../core/records/stack.ts'
import { type ChangePorts, changeFiles } from '../../core/stacks/change-files.ts'
import { changeRightsOf } from '../../core/stacks/check-change.ts'
import { findFile } from '../../core/stacks/find-file.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import type { ObservePorts } from '../../core/states/observe-host.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { versioned } from '../../kit/reply.ts'
import { stackEdition } from '../edition.ts'
import { FileRemoveQuery, FileStackPath } from '../files/schema.ts'
import { Stack } from '../schema.ts'
import { currentView } from '../view.ts'

export default endpoint({
  summary: 'Delete a file of a stack',
  description:
    'Saves the other files as a new revision. The next deploy deletes the file on the host.',
  access: 'stacks:update',
  atService: true,
  takesIfMatch: true,
  path: FileStackPath,
  query: FileRemoveQuery,
  returns: Stack,
  responseHeaders: { ETag: 'The version of the stack without the file' },
  errors: {
    404: 'No stack has that name, or it has no such file',
    409: 'The revision is not the newest',
    422: 'The stack does not load without the file',
  },

  async run({ path, query, caller, ifMatch }, ports: ChangePorts & ObservePorts) {
    await findFile(await getStack(path.name, ports), query.path, ports)
    const patch = new Map([[query.path, null]])
    const { revision } = query
    const checkStack = (now: StackRecord) => ifMatch.check(stackEdition(now))
    const change = { ...changeRightsOf(caller), revision, checkStack }
    const stack = await changeFiles(path.name, () => patch, change, ports)
    return versioned(await currentView(stack, ports), stackEdition(stack))
  },
})
