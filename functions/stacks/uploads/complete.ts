import { changeRightsOf } from '../../core/stacks/check-change.ts'
import type { ObservePorts } from '../../core/states/observe-host.ts'
import { type CompletePorts, completeChange } from '../../core/uploads/complete-change.ts'
import { getChange } from '../../core/uploads/get-change.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { Stack } from '../schema.ts'
import { unsentDataOf } from '../unsent-data.ts'
import { currentView } from '../view.ts'
import { UploadEnd, UploadPath } from './schema.ts'

export default endpoint({
  summary: 'Complete an upload of files of a stack',
  description:
    'Saves the uploaded files as one new revision, or changes nothing. Files that are not in the bundle stay, except those in `remove`. ' +
    'The host and running containers change with the next deploy. You can repeat the request if the response was lost.',
  access: 'stacks:update',
  atService: true,
  path: UploadPath,
  body: UploadEnd,
  bodyLimit: 4 * 1024 * 1024,
  returns: Stack,
  noTimeout: true,
  errors: {
    400: 'The bundle does not match its digest, is not an archive, or has an unsafe entry',
    404: 'No stack has that name, or no upload of yours has that id, or it has expired',
    409: 'Parts are missing, or the revision is not the newest',
    422: 'The files of the stack would not load, be too large, or not be a valid directory',
  },

  async run({ path, body, caller }, ports: CompletePorts & ObservePorts) {
    const { upload } = await getChange(path, caller, ports)
    const end = { ...body, facts: unsentDataOf(body) }
    const stack = await completeChange(upload, end, changeRightsOf(caller), ports)
    return currentView(stack, ports)
  },
})
