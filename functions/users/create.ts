import { withAdminLock } from '../core/access/admins.ts'
import { nameTaken } from '../core/access/change-account.ts'
import { requireWithin } from '../core/access/grant.ts'
import { isBuiltin, requireRole, rightsOf } from '../core/access/role.ts'
import { newAccount, showUser, User } from '../core/access/user.ts'
import type { EnsureLock } from '../core/leases/with-lock.ts'
import type { Needs } from '../core/ports/ports.ts'
import { normalName } from '../core/records/normal-name.ts'
import { endpoint } from '../kit/endpoint.ts'
import { created, createdHeaders } from '../kit/location.ts'
import { CreateUserBody, userExample } from './schema.ts'

type Ports = Needs<
  | 'accounts'
  | 'roles'
  | 'attempts'
  | 'passwords'
  | 'leases'
  | 'background'
  | 'random'
  | 'clock'
  | 'settings'
>

export default endpoint({
  summary: 'Create a user',
  description: 'You cannot grant permissions you do not have.',
  access: 'users:manage',
  body: CreateUserBody,
  returns: User,
  status: 201,
  responseHeaders: createdHeaders,
  errors: { 403: 'The user would have permissions you do not have', 409: 'The user name is taken' },
  examples: {
    body: {
      username: 'anna',
      password: 'correct horse battery',
      role: 'operator',
      email: 'anna@example.org',
      scope_tags: ['production'],
    },
    returns: userExample,
  },

  async run({ body, caller }, ports: Ports) {
    const { username, role, email = null, scope_tags: scopeTags = [], disabled = false } = body
    await requireRole(role, ports)
    requireWithin(caller, await rightsOf({ role, scopeTags }, ports), 'body')
    if (await ports.accounts.findByUsername(normalName(username))) throw nameTaken(username)
    const passwordHash = await ports.passwords.hash(body.password)
    const given = { username, role, email, scopeTags, disabled, passwordHash }
    const account = newAccount({ id: ports.random.id(), ...given }, ports.clock.now())
    const create = async (ensureLock?: EnsureLock) => {
      // Checked again: the role may have been deleted while the password was hashed.
      await requireRole(role, ports)
      ensureLock?.()
      return ports.accounts.create(account)
    }
    const isCreated = isBuiltin(role) ? await create() : await withAdminLock(ports, create)
    if (!isCreated) throw nameTaken(username)
    return created(await showUser(account, ports), 'users', account.id)
  },
})
