import type { Needs } from '../../../core/ports/ports.ts'
import { getChange } from '../../../core/uploads/get-change.ts'
import { putPart } from '../../../core/uploads/put-part.ts'
import { endpoint } from '../../../kit/endpoint.ts'
import { Part } from '../../adopt/schema.ts'
import { UploadPartPath } from '../schema.ts'

const megabyte = 1024 * 1024

export default endpoint({
  summary: 'Upload a part of the files of a stack',
  description: 'Parts can be sent in any order and more than once.',
  access: 'stacks:update',
  path: UploadPartPath,
  body: Part,
  bodyLimit: 6 * megabyte,
  bulkField: 'data',
  examples: { body: { data: 'H4sIAAAAAAAAAw==' } },
  errors: {
    404: 'No stack has that name, or no upload of yours has that id, or it has expired',
    409: 'The upload is complete',
  },

  async run({ path, body, caller }, ports: Needs<'stacks' | 'hosts' | 'uploads'>) {
    const { upload } = await getChange(path, caller, ports)
    await putPart(upload, path.n, body.data, ports)
    return undefined
  },
})
