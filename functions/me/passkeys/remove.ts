import { requireSession } from '../../core/access/grant.ts'
import { changePasskey } from '../../core/access/passkeys.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { PasskeyPath } from './schema.ts'

export default endpoint({
  summary: 'Delete one of your passkeys',
  description:
    'It signs you in no more. Sessions stay: end those of a lost device with DELETE /me/sessions/{id}. Not allowed with an API token.',
  access: 'signed-in',
  path: PasskeyPath,
  errors: { 403: 'The credential is an API token', 404: 'You have no such passkey' },

  async run({ path, caller }, ports: Needs<'accounts' | 'passkeys'>) {
    requireSession(caller)
    await changePasskey(caller.account.id, path.id, ports, () => undefined)
    return undefined
  },
})
