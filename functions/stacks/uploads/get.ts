import type { Needs } from '../../core/ports/ports.ts'
import { getChange } from '../../core/uploads/get-change.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { UploadPath, UploadProgress } from './schema.ts'

export default endpoint({
  summary: 'Show which parts of an upload have arrived',
  access: 'stacks:update',
  path: UploadPath,
  returns: UploadProgress,
  errors: { 404: 'No stack has that name, or no upload of yours has that id, or it has expired' },

  async run({ path, caller }, ports: Needs<'stacks' | 'hosts' | 'uploads'>) {
    const { upload } = await getChange(path, caller, ports)
    const received = await ports.uploads.received(upload.id)
    return { received, expires_at: new Date(upload.expiresAt).toISOString() }
  },
})
