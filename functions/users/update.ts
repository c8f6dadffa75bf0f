import type { z } from 'zod'
import { isActiveAdmin, refuseLastAdmin, withAdminLock } from '../core/access/admins.ts'
import { changeAccount, getAccount } from '../core/access/change-account.ts'
import { removeEndedTokens, withoutTokens } from '../core/access/end-tokens.ts'
import { requireWithin } from '../core/access/grant.ts'
import { removePasskeys, withoutPasskeys } from '../core/access/passkeys.ts'
import { requireRole, rightsOf } from '../core/access/role.ts'
import { showUser, User } from '../core/access/user.ts'
import { conflict, forbidden } from '../core/errors.ts'
import type { EnsureLock } from '../core/leases/with-lock.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Account, Caller } from '../core/records/account.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import { userEdition } from './edition.ts'
import { UpdateUserBody, UserPath, userExample } from './schema.ts'

type Ports = Needs<
  | 'accounts'
  | 'roles'
  | 'attempts'
  | 'settings'
  | 'passkeys'
  | 'passwords'
  | 'sessions'
  | 'apiTokens'
  | 'leases'
  | 'background'
  | 'random'
  | 'clock'
>
type Body = z.output<typeof UpdateUserBody>

export default endpoint({
  summary: 'Update a user',
  description:
    'Omitted fields keep their values. Setting a password ends the user’s sessions and API tokens, and deletes the passkeys. Disabling the user ends the sessions, and the tokens are refused until the user is enabled again. Change your own password with PUT /me/password.',
  access: 'users:manage',
  path: UserPath,
  takesIfMatch: true,
  body: UpdateUserBody,
  returns: User,
  errors: {
    403: 'The user has, or would have, permissions you do not have',
    404: 'There is no such user',
    409: 'The user name is taken, the user is the last admin, or has no password to set because an identity provider signs it in',
  },
  examples: { body: { role: 'operator', scope_tags: ['production'] }, returns: userExample },

  async run({ path, body, caller, ifMatch }, ports: Ports) {
    if (body.role !== undefined) await requireRole(body.role, ports)
    await refuse(caller, await getAccount(path.id, ports), body, ports)
    const passwordHash =
      body.password === undefined ? undefined : await ports.passwords.hash(body.password)
    let before: Account | undefined
    const change = (ensureLock?: EnsureLock) =>
      changeAccount(path.id, ports, async (account) => {
        before = account
        await refuse(caller, account, body, ports)
        ifMatch.check(userEdition(account))
        const edited = { ...account, ...changed(account, body, passwordHash, ports.clock.now()) }
        const next = passwordHash === undefined ? edited : withoutPasskeys(withoutTokens(edited))
        if (!isActiveAdmin(next)) await refuseLastAdmin(account, ports)
        ensureLock?.()
        return next
      })
    const after = mayDemote(body) ? await withAdminLock(ports, change) : await change()
    if (passwordHash !== undefined || after.disabled) await ports.sessions.removeByAccount(path.id)
    if (passwordHash !== undefined) {
      await removeEndedTokens(after, ports)
      await removePasskeys(before, ports)
    }
    return versioned(await showUser(after, ports), userEdition(after))
  },
})

const mayDemote = ({ role, disabled, scope_tags: tags }: Body) =>
  role !== undefined || disabled === true || (tags?.length ?? 0) > 0

async function refuse(
  caller: Caller,
  account: Account,
  body: Body,
  ports: Needs<'roles'>,
): Promise<void> {
  if (body.password !== undefined && account.id === caller.account.id) {
    throw forbidden('body.password: change your own password with PUT /me/password')
  }
  requireWithin(caller, await rightsOf(account, ports), 'the user')
  const { role = account.role, scope_tags: scopeTags = account.scopeTags } = body
  if (body.role !== undefined) await requireRole(role, ports)
  requireWithin(caller, await rightsOf({ role, scopeTags }, ports), 'body')
  if (body.password !== undefined && account.identity) {
    throw conflict(
      `body.password: ${account.username} signs in with an identity provider and has no password here; add another user for a login without it`,
    )
  }
}

function changed(
  account: Account,
  body: Body,
  passwordHash: string | undefined,
  now: number,
): Partial<Account> {
  const { username, role, email, scope_tags: scopeTags, disabled } = body
  const ends = passwordHash !== undefined || (disabled === true && !account.disabled)
  return {
    username: username ?? account.username,
    role: role ?? account.role,
    email: email === undefined ? account.email : email,
    scopeTags: scopeTags ?? account.scopeTags,
    disabled: disabled ?? account.disabled,
    passwordHash: passwordHash ?? account.passwordHash,
    ...(ends && { sessionsValidFrom: now, keptSessionId: null }),
  }
}
