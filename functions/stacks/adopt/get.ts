import { getAdoption } from '../../core/adopt/get-adoption.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { AdoptionPath, AdoptionProgress } from './schema.ts'

export default endpoint({
  summary: 'Show which parts of a bundle have arrived',
  access: 'stacks:create',
  path: AdoptionPath,
  returns: AdoptionProgress,
  errors: { 404: 'No adoption of yours has that id, or it has expired' },

  async run({ path, caller }, ports: Needs<'uploads' | 'hosts'>) {
    const adoption = await getAdoption(path.id, caller, ports)
    const received = await ports.uploads.received(adoption.id)
    return { received, expires_at: new Date(adoption.expiresAt).toISOString() }
  },
})
