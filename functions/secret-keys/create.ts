import { requireEveryHost } from '../core/access/grant.ts'
import { conflict } from '../core/errors.ts'
import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { SecretKey, secretKeyExample, showKeys } from './schema.ts'

export default endpoint({
  summary: 'Rotate the key of the secrets at rest',
  description:
    'Makes a new key, which encrypts what is new within a second in every process that shares the data directory. Older values follow by themselves, within minutes; then the older keys can be deleted.',
  access: 'settings:manage',
  returns: SecretKey,
  status: 201,
  fails: {
    403: 'Your credential is limited to some hosts',
    409: 'The key is configured: it is changed there',
  },
  examples: { returns: secretKeyExample },

  async run({ caller }, { secrets }: Needs<'secrets'>) {
    requireEveryHost(caller, 'keys')
    const [current] = await secrets.keys()
    if (current?.source === 'environment') {
      throw conflict(
        'SERVICE_SECRET_KEY sets the key: put a new one before it, a comma between them, and start the service again',
      )
    }
    return showKeys([await secrets.addKey()], undefined)[0]!
  },
})
