import { z } from 'zod'
import { refuseLastAdmin, withAdminLock } from '../access/admins.ts'
import { changeAccount } from '../access/change-account.ts'
import { removeEndedTokens, withoutTokens } from '../access/end-tokens.ts'
import { Username } from '../access/fields.ts'
import { isBuiltin } from '../access/role.ts'
import { newAccount } from '../access/user.ts'
import { conflict, forbidden, overloaded } from '../errors.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account } from '../records/account.ts'
import type { ExternalIdentity, IdentityProvider } from '../records/identity-provider.ts'
import { normalName } from '../records/normal-name.ts'
import { mapsRoles, noRole, roleExists, roleOf } from './role.ts'

type Ports = Needs<
  'accounts' | 'roles' | 'sessions' | 'apiTokens' | 'leases' | 'background' | 'random' | 'clock'
>

/**
 * Returns the account of an identity, with the role that its provider grants now. Accounts are
 * found only by issuer and subject, because users can choose their names and email addresses.
 * Creates the account if there is none and the provider grants a role.
 *
 * @throws 403 if the account is disabled or the provider grants no role
 * @throws 409 if the user name belongs to another account or the last admin would be lost
 */
export async function accountOf(
  identity: ExternalIdentity,
  provider: IdentityProvider,
  ports: Ports,
): Promise<Account> {
  const role = await roleOf(provider, identity.claims, ports)
  for (let tries = 0; tries < 20; tries += 1) {
    const known = await ports.accounts.findByIdentity(identity)
    if (known) return update(known, provider, role, ports)
    if (role === undefined) throw forbidden(`${provider.name} grants you no role in this service`)
    const made = await create(identity, role, ports)
    if (made) return made
    // Another sign-in of the same user may be creating the account.
    await ports.clock.sleep(50)
  }
  throw overloaded('the service is overloaded: try again in a moment')
}

async function create({ issuer, subject, claims }: ExternalIdentity, role: string, ports: Ports) {
  const username = usernameOf(claims, subject)
  const given = { username, role, passwordHash: null, identity: { issuer, subject } }
  const about = { id: ports.random.id(), email: emailOf(claims) }
  const account = newAccount({ ...about, ...given }, ports.clock.now())
  if (await createWith(account, ports)) return account
  const holder = await ports.accounts.findByUsername(normalName(username))
  const isOwn = holder?.identity?.issuer === issuer && holder.identity.subject === subject
  if (holder && !isOwn)
    throw conflict(`the user name ${username} is taken by another account`, { reason: 'exists' })
  return undefined
}

/** A custom role may be deleted while it is being assigned, so it is checked under the lock. */
function createWith(account: Account, ports: Ports): Promise<boolean> {
  if (isBuiltin(account.role)) return ports.accounts.create(account)
  return withAdminLock(ports, async (ensureLock) => {
    await refuseGone(account.role, ports)
    ensureLock()
    return ports.accounts.create(account)
  })
}

async function refuseGone(role: string, ports: Ports): Promise<void> {
  if (role !== noRole && !(await roleExists(role, ports))) {
    throw conflict(`the role ${role} was just deleted: sign in again`)
  }
}

async function update(
  known: Stored<Account>,
  provider: IdentityProvider,
  given: string | undefined,
  ports: Ports,
): Promise<Account> {
  if (known.disabled) throw forbidden('your account is disabled')
  const role = mapsRoles(provider) ? (given ?? noRole) : known.role
  const after = role === known.role ? known : await changeRole(known.id, role, ports)
  if (after.role !== noRole) return after
  await ports.sessions.removeByAccount(known.id)
  await removeEndedTokens(after, ports)
  throw forbidden(`${provider.name} no longer grants you a role in this service`)
}

const changeRole = (id: string, role: string, ports: Ports) =>
  withAdminLock(ports, (ensureLock) =>
    changeAccount(id, ports, async (account) => {
      await refuseGone(role, ports)
      if (role !== 'admin') await refuseLastAdmin(account, ports)
      ensureLock()
      const next = { ...account, role }
      // Also for a user who gets a role again: an earlier version left the tokens when it was lost.
      return [role, account.role].includes(noRole) ? withoutTokens(next) : next
    }),
  )

/**
 * Returns the first claim that is a valid user name here. The subject is the last resort.
 *
 * @throws 403 if none of them is valid
 */
function usernameOf(claims: ExternalIdentity['claims'], subject: string): string {
  const candidates = [claims.preferred_username, emailOf(claims), subject]
  for (const candidate of candidates) {
    const name = Username.safeParse(candidate)
    if (name.success) return name.data
  }
  throw forbidden('the provider sent no name that is a valid user name in this service')
}

/** Returns the email address, or null if the provider says that it is not verified. */
function emailOf({ email, email_verified: verified }: ExternalIdentity['claims']): string | null {
  return verified !== false && z.email().max(254).safeParse(email).success
    ? (email as string)
    : null
}
