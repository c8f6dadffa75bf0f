import type { StackRecord } from '../core/records/stack.ts'
import { type ChangePorts, changeFiles } from '../core/stacks/change-files.ts'
import { changeRightsOf } from '../core/stacks/check-change.ts'
import type { ObservePorts } from '../core/states/observe-host.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import { stackEdition } from './edition.ts'
import { patchOf } from './files/patch.ts'
import { Stack, StackChange, StackPath } from './schema.ts'
import { requireTaking } from './shared-variables.ts'
import { unsentDataOf } from './unsent-data.ts'
import { currentView } from './view.ts'

const megabyte = 1024 * 1024

export default endpoint({
  summary: 'Update the files of a stack',
  description:
    'Saves the files as a new revision; files identical to the current ones make none. The host and running containers change with the next deploy.',
  access: 'stacks:update',
  atService: true,
  takesIfMatch: true,
  path: StackPath,
  body: StackChange,
  bodyLimit: 4 * megabyte,
  returns: Stack,
  errors: {
    403: '`shared_variables` needs stacks:secrets, or the files access more than you may',
    404: 'No stack has that name',
    409: 'The revision is not the newest',
    422: 'The files of the stack would not load, be too large, or not be a valid directory, or there is no such set of variables for its host',
  },

  async run({ path, body, caller, ifMatch }, ports: ChangePorts & ObservePorts) {
    requireTaking(body, caller)
    const facts = unsentDataOf(body)
    const change = {
      ...changeRightsOf(caller),
      revision: body.revision,
      checkStack: (now: StackRecord) => ifMatch.check(stackEdition(now)),
      facts,
      sets: body.shared_variables,
    }
    const stack = await changeFiles(path.name, (now) => patchOf(body, now), change, ports)
    return versioned(await currentView(stack, ports), stackEdition(stack))
  },
})
