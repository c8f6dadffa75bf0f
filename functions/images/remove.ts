import { targetEngine } from '../core/hosts/target.ts'
import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { ImagePath, RemoveImageQuery } from './schema.ts'

export default endpoint({
  summary: 'Remove an image',
  description:
    'As `docker rmi`: a name of several only goes itself, the last one takes the image with it, an id all of it.',
  access: 'images:delete',
  path: ImagePath,
  query: RemoveImageQuery,
  slashes: true,
  waits: true,
  fails: {
    404: 'No image or host has that id',
    409: 'A container uses it, or it has several names',
  },

  async run({ path, query, caller }, ports: Needs<'hosts' | 'engines'>) {
    const { engine } = await targetEngine(query.host, caller, ports)
    await engine.removeImage(path.id, { force: query.force })
    return undefined
  },
})
