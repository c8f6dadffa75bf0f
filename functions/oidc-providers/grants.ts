import type { Caller } from '../core/access/account.ts'
import { requireWithin } from '../core/access/grant.ts'

/**
 * Throws a `Failure` 403 unless the caller has every right that a provider would give: whoever decides who becomes an
 * admin is one.
 */
export function requireGrants(
  caller: Caller,
  given: { role_map?: Record<string, string>; default_role?: string | null },
): void {
  const roles = [...Object.values(given.role_map ?? {}), given.default_role ?? undefined]
  for (const role of roles) {
    if (role !== undefined) requireWithin(caller, { role, scopeTags: [] }, 'body')
  }
}
