import type { StackRecord } from '../../core/records/stack.ts'
import { type ChangePorts, changeFiles } from '../../core/stacks/change-files.ts'
import { changeRightsOf } from '../../core/stacks/check-change.ts'
import type { ObservePorts } from '../../core/states/observe-host.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { versioned } from '../../kit/reply.ts'
import { stackEdition } from '../edition.ts'
import { fileOf } from '../files/patch.ts'
import { contentBodyMax, FileChange, FileQuery, FileStackPath } from '../files/schema.ts'
import { Stack } from '../schema.ts'
import { currentView } from '../view.ts'

export default endpoint({
  summary: 'Create or replace a file of a stack',
  description:
    'Saves the file as a new revision, unless its content is unchanged. Accepts any path, also `compose.yaml`, `.env` and overlays. The host and running containers change with the next deploy.',
  access: 'stacks:update',
  atService: true,
  takesIfMatch: true,
  path: FileStackPath,
  query: FileQuery,
  body: FileChange,
  bodyLimit: contentBodyMax,
  returns: Stack,
  errors: {
    404: 'No stack has that name',
    409: 'The revision is not the newest',
    422: 'The files do not load, are too large, or cannot be one directory',
  },

  async run({ path, query, body, caller, ifMatch }, ports: ChangePorts & ObservePorts) {
    const { revision, ...file } = body
    const patch = new Map([[query.path, fileOf(file)]])
    const checkStack = (now: StackRecord) => ifMatch.check(stackEdition(now))
    const change = { ...changeRightsOf(caller), revision, checkStack }
    const stack = await changeFiles(path.name, () => patch, change, ports)
    return versioned(await currentView(stack, ports), stackEdition(stack))
  },
})
