import { requireEveryHost } from '../core/access/grant.ts'
import { conflict, notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { SecretKeyPath } from './schema.ts'

export default endpoint({
  summary: 'Delete an old encryption key',
  description:
    'Searches the whole store for values under the key first. Backups made with the key can no longer be read.',
  access: 'settings:manage',
  path: SecretKeyPath,
  noTimeout: true,
  errors: {
    403: 'Your credential is limited to some hosts',
    404: 'There is no such key',
    409: 'It is the current key, it is configured, or values are still encrypted with it',
  },

  async run({ path, caller }, { secrets }: Needs<'secrets'>) {
    requireEveryHost(caller, 'keys')
    const keys = await secrets.keys()
    const key = keys.find(({ id }) => id === path.id)
    if (!key) throw notFound(`key ${path.id}: there is no such key`)
    if (key === keys[0])
      throw conflict(`key ${key.id}: it is the current key, rotate first`, { reason: 'in-use' })
    if (key.source === 'environment') {
      throw conflict(`key ${key.id}: remove it from SERVICE_SECRET_KEY`, { reason: 'pinned' })
    }
    const values = (await secrets.count())[key.id] ?? 0
    if (values > 0) {
      await secrets.recordOnlyKey(null)
      throw conflict(
        `key ${key.id}: ${values} values are still encrypted with it; they are re-encrypted within minutes`,
      )
    }
    await secrets.dropKey(key.id)
    return undefined
  },
})
