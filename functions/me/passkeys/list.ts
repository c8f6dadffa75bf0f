import { requireSession } from '../../core/access/grant.ts'
import { passkeysOf } from '../../core/access/passkeys.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { PasskeyList, passkeyExample, showPasskey } from './schema.ts'

export default endpoint({
  summary: 'List your passkeys',
  description: 'Lists your passkeys in the order in which they were added.',
  access: 'signed-in',
  returns: PasskeyList,
  errors: { 403: 'The credential is an API token' },
  examples: { returns: [passkeyExample] },

  async run({ caller }, ports: Needs<'accounts' | 'passkeys'>) {
    requireSession(caller)
    // The account of the caller may be a second old, and miss a passkey that was just added.
    const account = (await ports.accounts.find(caller.account.id)) ?? caller.account
    return (await passkeysOf(account, ports)).map(showPasskey)
  },
})
