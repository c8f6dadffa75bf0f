import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { capped } from '../kit/reply.ts'
import { SecretKey, secretKeyExample, secretKeysMax, showKeys } from './schema.ts'

export default endpoint({
  summary: 'List the encryption keys of stored secrets',
  description: 'Lists their ids, newest first, and never the keys themselves.',
  access: 'settings:manage',
  returns: z.array(SecretKey).max(secretKeysMax),
  examples: { returns: [secretKeyExample] },

  async run(_input, { secrets }: Needs<'secrets'>) {
    const [keys, onlyKey] = await Promise.all([secrets.keys(), secrets.onlyKey()])
    return capped(showKeys(keys, onlyKey), secretKeysMax)
  },
})
