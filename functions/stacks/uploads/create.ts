import type { Needs } from '../../core/ports/ports.ts'
import { partBytes } from '../../core/records/upload.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { startChange } from '../../core/uploads/start-change.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { created, createdHeaders } from '../../kit/location.ts'
import { NewUpload, StartedUpload, UploadsPath } from './schema.ts'

export default endpoint({
  summary: 'Start an upload of files of a stack',
  description:
    'For files that are too large or too many for one request. Upload the bundle in parts afterwards: a tar.gz of files and links with their paths in the directory of the stack. ' +
    'Nothing changes before the upload is completed. An account has at most four open uploads: a further one ends the oldest.',
  access: 'stacks:update',
  path: UploadsPath,
  body: NewUpload,
  returns: StartedUpload,
  status: 201,
  responseHeaders: createdHeaders,
  errors: { 404: 'No stack has that name' },

  async run(
    { path, body, caller },
    ports: Needs<'stacks' | 'hosts' | 'uploads' | 'settings' | 'clock' | 'random'>,
  ) {
    const stack = await getStack(path.name, ports)
    const upload = await startChange(stack, body, caller, ports)
    const expires_at = new Date(upload.expiresAt).toISOString()
    const view = { upload_id: upload.id, part_size: partBytes, expires_at }
    return created(view, 'stacks', stack.id, 'uploads', upload.id)
  },
})
