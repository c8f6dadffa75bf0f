import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { HostQuery } from '../kit/params.ts'
import { Volume, VolumePath } from './schema.ts'
import { targetVolume } from './target-volume.ts'
import { volumeView } from './view.ts'

export default endpoint({
  summary: 'Show a volume',
  description: 'Without the options of its driver, which can hold passwords.',
  access: 'volumes:read',
  atService: true,
  path: VolumePath,
  query: HostQuery,
  returns: Volume,
  errors: { 404: 'No volume or host has that name' },

  async run({ path, query, caller }, ports: Needs<'engines' | 'hosts'>) {
    const { volume, hostFields } = await targetVolume(path.name, query.host, caller, ports)
    return volumeView(volume, hostFields)
  },
})
