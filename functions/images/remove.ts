import { targetEngine } from '../core/hosts/target.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { ImagePath, RemoveImageQuery } from './schema.ts'

export default endpoint({
  summary: 'Remove an image',
  description:
    'Like `docker rmi`: a name is removed alone while the image has other names; the last name, or an id, removes the image.',
  access: 'images:delete',
  atService: true,
  path: ImagePath,
  query: RemoveImageQuery,
  encodedSlashes: true,
  noTimeout: true,
  errors: {
    404: 'No image or host has that id',
    409: 'A container uses it, or it has several names',
  },

  async run({ path, query, caller }, ports: Needs<'hosts' | 'engines'>) {
    const { engine } = await targetEngine(query.host, caller, ports)
    await engine.removeImage(path.id, { force: query.force })
    return undefined
  },
})
