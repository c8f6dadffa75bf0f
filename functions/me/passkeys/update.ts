import { must } from '../../compose/must.ts'
import { requireSession } from '../../core/access/grant.ts'
import { changePasskey } from '../../core/access/passkeys.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { Passkey, PasskeyPath, passkeyExample, RenamePasskeyBody, showPasskey } from './schema.ts'

export default endpoint({
  summary: 'Rename one of your passkeys',
  access: 'signed-in',
  path: PasskeyPath,
  body: RenamePasskeyBody,
  returns: Passkey,
  errors: { 403: 'The credential is an API token', 404: 'You have no such passkey' },
  examples: { body: { name: 'laptop' }, returns: passkeyExample },

  async run({ path, body, caller }, ports: Needs<'accounts' | 'passkeys'>) {
    requireSession(caller)
    const renamed = await changePasskey(caller.account.id, path.id, ports, (passkey) => ({
      ...passkey,
      name: body.name,
    }))
    return showPasskey(must(renamed, 'the renamed passkey'))
  },
})
