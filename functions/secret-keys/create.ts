import { requireEveryHost } from '../core/access/grant.ts'
import { conflict } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { created, createdHeaders } from '../kit/location.ts'
import { SecretKey, secretKeyExample, showKey } from './schema.ts'

export default endpoint({
  summary: 'Rotate the encryption key of stored secrets',
  description:
    'Creates a new key. Within a second every process that shares the keys encrypts new values with it. Older values are re-encrypted in the background within minutes; then you can delete the older keys.',
  access: 'settings:manage',
  returns: SecretKey,
  status: 201,
  responseHeaders: createdHeaders,
  errors: {
    403: 'Your credential is limited to some hosts',
    409: 'The key is set by the configuration: change it there',
  },
  examples: { returns: secretKeyExample },

  async run({ caller }, { secrets }: Needs<'secrets'>) {
    requireEveryHost(caller, 'keys')
    const [current] = await secrets.keys()
    if (current?.source === 'environment') {
      throw conflict(
        'SERVICE_SECRET_KEY sets the key: put a new key and a comma before it, and restart the service',
      )
    }
    const key = await secrets.addKey()
    return created(showKey(key, { current: true, inUse: true }), 'secret-keys', key.id)
  },
})
