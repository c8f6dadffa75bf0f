import { type Failure, forbidden } from '../errors.ts'
import type { Caller } from '../records/account.ts'
import type { Permission } from '../records/permissions.ts'
import type { Rights } from './role.ts'

/** What an endpoint requires: a permission, or only a valid credential. */
export type Required = Permission | 'signed-in'

/** Returns whether the role of the caller allows the access. It does not check the scope. */
export const allows = ({ permissions }: Pick<Caller, 'permissions'>, access: Required) =>
  access === 'signed-in' || permissions.has(access)

/** Returns the failure 403 of an access that `allows` refuses. */
export function notAllowed({ account, credential }: Caller, access: Required): Failure {
  return credential.kind === 'session'
    ? forbidden(`your role ${account.role} does not have the permission ${access}`)
    : forbidden(
        `this API token does not have the permission ${access}: your role lacks it, or did when the token was made`,
      )
}

/**
 * Checks that the caller has all these rights, because you cannot grant permissions you do not
 * have, nor take them over by setting a password. A caller limited to some hosts has fewer rights
 * than any account without such a limit.
 *
 * @throws 403 if the caller lacks one of them
 */
export function requireWithin(caller: Caller, rights: Rights, subject: string): void {
  requirePermissions(caller, rights.permissions, `${subject}: the role ${rights.role}`)
  if (!tagsWithin(caller, rights.scopeTags)) {
    throw forbidden(`${subject}: has access to hosts outside your scope`)
  }
}

/** @throws 403 if the caller lacks one of these permissions */
export function requirePermissions(
  caller: Pick<Caller, 'permissions'>,
  given: Iterable<string>,
  subject: string,
): void {
  for (const permission of given) {
    if (!caller.permissions.has(permission)) {
      throw forbidden(`${subject} exceeds your permissions: ${permission}`)
    }
  }
}

/**
 * Guards an operation that acts on every host.
 *
 * @throws 403 if the caller is limited to some hosts
 */
export function requireEveryHost(caller: Caller, subject: string): void {
  if (caller.scopeTags.length > 0) {
    throw forbidden(
      `${subject}: your credential is limited to some hosts, but this affects all hosts`,
    )
  }
}

/** @throws 403 unless the tags are at least as restrictive as the scope of the caller */
export function requireTagsWithin(caller: Caller, scopeTags: readonly string[]): void {
  if (!tagsWithin(caller, scopeTags))
    throw forbidden('scope_tags: would include hosts outside your scope')
}

/**
 * Returns the id of the caller's session.
 *
 * @throws 403 if the credential is an API token
 */
export function requireSession(caller: Caller): string {
  if (caller.credential.kind !== 'session') {
    throw forbidden('this needs a signed-in session, not an API token')
  }
  return caller.credential.sessionId
}

function tagsWithin(caller: Caller, scopeTags: readonly string[]): boolean {
  if (caller.scopeTags.length === 0) return true
  return scopeTags.length > 0 && scopeTags.every((tag) => caller.scopeTags.includes(tag))
}
