import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { SecretKey, SecretKeyPath, secretKeyExample, showKeys } from './schema.ts'

export default endpoint({
  summary: 'Show an encryption key of stored secrets',
  description: 'The key itself is never returned.',
  access: 'settings:manage',
  path: SecretKeyPath,
  returns: SecretKey,
  errors: { 404: 'There is no such key' },
  examples: { returns: secretKeyExample },

  async run({ path }, { secrets }: Needs<'secrets'>) {
    const [keys, onlyKey] = await Promise.all([secrets.keys(), secrets.onlyKey()])
    const key = showKeys(keys, onlyKey).find(({ id }) => id === path.id)
    if (!key) throw notFound(`key ${path.id}: there is no such key`)
    return key
  },
})
