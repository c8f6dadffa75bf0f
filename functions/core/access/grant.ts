import { forbidden } from '../errors.ts'
import type { Caller } from './account.ts'
import type { Permission } from './permissions.ts'
import type { Rights } from './role.ts'

/** What a caller must have: a permission, or nothing but a good credential. */
export type Required = Permission | 'signed-in'

/** Whether a caller may, as his role is now. Where he may is for his scope. */
export const allows = ({ permissions }: Pick<Caller, 'permissions'>, access: Required) =>
  access === 'signed-in' || permissions.has(access)

/**
 * Throws a `Failure` 403 unless the caller has all these rights: nobody gives, or takes over by a password, what he does
 * not have. A caller limited to some hosts is below every account without such a limit.
 */
export function requireWithin(caller: Caller, rights: Rights, subject: string): void {
  requirePermissions(caller, rights.permissions, `${subject}: the role ${rights.role}`)
  if (!tagsWithin(caller, rights.scopeTags)) {
    throw forbidden(`${subject}: reaches hosts outside your scope`)
  }
}

/** Throws a `Failure` 403 unless the caller has all of these permissions. */
export function requirePermissions(caller: Caller, given: Iterable<string>, subject: string): void {
  for (const permission of given) {
    if (!caller.permissions.has(permission)) {
      throw forbidden(`${subject} may do more than yours: ${permission}`)
    }
  }
}

/** Throws a `Failure` 403 for a caller limited to some hosts: what it guards acts on all of them. */
export function requireEveryHost(caller: Caller, subject: string): void {
  if (caller.scopeTags.length > 0) {
    throw forbidden(`${subject}: your credential is limited to some hosts, and this acts on all`)
  }
}

/** Throws a `Failure` 403 unless the tags limit at least as much as the caller is limited. */
export function requireTagsWithin(caller: Caller, scopeTags: readonly string[]): void {
  if (!tagsWithin(caller, scopeTags))
    throw forbidden('scope_tags: reaches hosts outside your scope')
}

/** Throws a `Failure` 403 for an API token: some things need a person who is signed in. Gives the session's id. */
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
