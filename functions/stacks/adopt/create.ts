import { reachOf } from '../../core/access/reach.ts'
import { getAdoptable } from '../../core/adopt/find-running.ts'
import { conflict, invalid } from '../../core/errors.ts'
import { targetHost } from '../../core/hosts/target.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { partBytes, uploadLifetime } from '../../core/records/upload.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { created, createdHeaders } from '../../kit/location.ts'
import { Adoption, NewAdoption } from './schema.ts'

export default endpoint({
  summary: 'Start adopting a running compose project',
  description:
    'Upload the bundle in parts afterwards: a tar.gz of the project directory with compose.yaml at its root, plain files and ' +
    'directories only. Nothing is restarted and nothing is written on the host. Without stacks:privileged, the project ' +
    'must be in the directory that a stack of its name would have, and its containers must not access anything beyond it.',
  access: 'stacks:create',
  atService: true,
  body: NewAdoption,
  returns: Adoption,
  status: 201,
  responseHeaders: createdHeaders,
  errors: {
    403: 'Adopting this project needs stacks:privileged',
    404: 'No host has that id or name',
    409: 'The project is already a stack, or its directory is that of a stack',
    422: 'The project is not running on the host; the message lists those found',
  },

  async run(
    { body, caller },
    ports: Needs<'uploads' | 'clock' | 'engines' | 'hosts' | 'random' | 'settings' | 'stacks'>,
  ) {
    const { 'adopt.max_bundle_bytes': max } = await ports.settings.get()
    if (body.size > max)
      throw invalid(`body.size: must be at most ${max} bytes (adopt.max_bundle_bytes)`)
    const host = await targetHost(body.host, caller, ports)
    if (await ports.stacks.find(body.name)) {
      throw conflict(`stack ${body.name}: it is already managed`, { reason: 'exists' })
    }
    await getAdoptable(body.name, host, reachOf(caller), ports)
    const adoption = {
      id: ports.random.id(),
      stack: body.name,
      hostId: host.id,
      size: body.size,
      accountId: caller.account.id,
      expiresAt: ports.clock.now() + uploadLifetime,
      done: false,
    }
    await ports.uploads.save(adoption)
    const expires_at = new Date(adoption.expiresAt).toISOString()
    const view = { adoption_id: adoption.id, part_size: partBytes, expires_at }
    return created(view, 'stacks', 'adopt', adoption.id)
  },
})
