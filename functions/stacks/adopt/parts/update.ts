import { getAdoption } from '../../../core/adopt/get-adoption.ts'
import type { Needs } from '../../../core/ports/ports.ts'
import { putPart } from '../../../core/uploads/put-part.ts'
import { endpoint } from '../../../kit/endpoint.ts'
import { Part, PartPath } from '../schema.ts'

const megabyte = 1024 * 1024

export default endpoint({
  summary: 'Upload a part of a bundle',
  description: 'Parts can be sent in any order and more than once.',
  access: 'stacks:create',
  path: PartPath,
  body: Part,
  bodyLimit: 6 * megabyte,
  bulkField: 'data',
  examples: { body: { data: 'H4sIAAAAAAAAAw==' } },
  errors: {
    404: 'No adoption of yours has that id, or it has expired',
    409: 'The adoption is complete',
  },

  async run({ path, body, caller }, ports: Needs<'uploads' | 'hosts'>) {
    const adoption = await getAdoption(path.id, caller, ports)
    await putPart(adoption, path.n, body.data, ports)
    return undefined
  },
})
