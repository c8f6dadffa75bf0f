import { withAdminLock } from '../core/access/admins.ts'
import { requireEveryHost, requirePermissions } from '../core/access/grant.ts'
import { getCustomRole } from '../core/access/role.ts'
import { conflict, notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { grantsRole } from '../core/sso/role.ts'
import { endpoint } from '../kit/endpoint.ts'
import { removeMatching } from '../kit/entity-tag.ts'
import { RolePath } from './schema.ts'

type Ports = Needs<
  'roles' | 'accounts' | 'identityProviders' | 'leases' | 'random' | 'clock' | 'background'
>

export default endpoint({
  summary: 'Delete a role',
  access: 'roles:manage',
  takesIfMatch: true,
  path: RolePath,
  errors: {
    403: 'The role allows more than yours, or your credential is limited to some hosts',
    404: 'There is no such role',
    409: 'The role is built in, a user has it, or an identity provider grants it',
  },

  async run({ path, caller, ifMatch }, ports: Ports) {
    const { name } = path
    requireEveryHost(caller, 'roles')
    await withAdminLock(ports, async (ensureLock) => {
      const role = await getCustomRole(name, ports)
      requirePermissions(caller, role.permissions, `the role ${name}`)
      const holders = (await ports.accounts.list()).filter((account) => account.role === name)
      if (holders.length > 0) {
        throw conflict(`the role ${name} is in use: users that have it: ${holders.length}`, {
          reason: 'in-use',
        })
      }
      const providers = await ports.identityProviders.list()
      const giving = providers.find((provider) => grantsRole(provider, name))
      if (giving)
        throw conflict(
          `the role ${name} is in use: the identity provider ${giving.name} grants it`,
          { reason: 'in-use' },
        )
      ifMatch.check(role.revision)
      ensureLock()
      if (!(await removeMatching(role, ports.roles, ifMatch)))
        throw notFound(`there is no role ${name}`)
    })
    return undefined
  },
})
