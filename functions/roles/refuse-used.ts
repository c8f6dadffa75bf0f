import { conflict } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { grantsRole } from '../core/sso/role.ts'

/** @throws 409 if a user has the role, or an identity provider grants it */
export async function refuseUsedRole(
  name: string,
  ports: Needs<'accounts' | 'identityProviders'>,
): Promise<void> {
  const holders = (await ports.accounts.list()).filter((account) => account.role === name)
  if (holders.length > 0) {
    throw conflict(`the role ${name} is in use: users that have it: ${holders.length}`, {
      reason: 'in-use',
    })
  }
  const providers = await ports.identityProviders.list()
  const giving = providers.find((provider) => grantsRole(provider, name))
  if (!giving) return
  throw conflict(`the role ${name} is in use: the identity provider ${giving.name} grants it`, {
    reason: 'in-use',
  })
}
