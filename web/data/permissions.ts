/** What an account may do, from `GET /me`. */
export interface Rights {
  permissions: readonly string[]
  /** Tags of the hosts that the account is limited to; none means every host. */
  scope_tags: readonly string[]
}

/**
 * Returns whether an account has a permission, on a host if one is given. The service decides; this
 * only hides what would be refused.
 */
export function allows(
  rights: Rights | undefined,
  permission: string,
  host?: { tags: readonly string[] },
): boolean {
  if (!rights?.permissions.includes(permission)) return false
  const { scope_tags: scope } = rights
  return !host || scope.length === 0 || host.tags.some((tag) => scope.includes(tag))
}

/** A permission, or several of which any is enough. */
export type Needed = string | readonly string[]

/** Returns whether `can` is true for what is needed. */
export const allowsAny = (needed: Needed, can: (permission: string) => boolean): boolean =>
  typeof needed === 'string' ? can(needed) : needed.some((one) => can(one))
