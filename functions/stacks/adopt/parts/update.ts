import { partsOf, sizeOfPart } from '../../../core/adopt/adoption.ts'
import { getAdoption } from '../../../core/adopt/locate.ts'
import { conflict, invalid } from '../../../core/errors.ts'
import type { Needs } from '../../../core/ports.ts'
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
  bulky: true,
  examples: { body: { data: 'H4sIAAAAAAAAAw==' } },
  fails: {
    404: 'No adoption of yours has that id, or it has expired',
    409: 'The adoption is complete',
  },

  async run({ path, body, caller }, ports: Needs<'adoptions' | 'hosts'>) {
    const adoption = await getAdoption(path.id, caller, ports)
    if (adoption.done) throw conflict(`adoption ${adoption.id}: it is complete`)
    const parts = partsOf(adoption.size)
    if (path.n >= parts) throw invalid(`path.n: the bundle has ${parts} parts, from 0`)
    const wanted = sizeOfPart(adoption.size, path.n)
    if (body.data.length !== wanted) {
      throw invalid(`body.data: part ${path.n} is ${wanted} bytes in base64`)
    }
    await ports.adoptions.putPart(adoption, path.n, body.data)
    return undefined
  },
})
