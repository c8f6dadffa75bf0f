import { requirePermissions } from '../core/access/grant.ts'
import type { Caller } from '../core/records/account.ts'

/**
 * Checks that the caller may let a stack take sets of variables: a deploy shows their values to who
 * may deploy, as those of `.env`.
 *
 * @throws 403 without `stacks:secrets`, if the request names sets
 */
export function requireTaking(
  { shared_variables }: { shared_variables?: readonly string[] | undefined },
  caller: Pick<Caller, 'permissions'>,
): void {
  if (shared_variables === undefined) return
  requirePermissions(caller, ['stacks:secrets'], 'body.shared_variables')
}
