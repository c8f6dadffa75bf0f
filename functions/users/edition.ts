import type { Account } from '../core/records/account.ts'
import { editionOf } from '../kit/entity-tag.ts'
import type { Edition } from '../kit/if-match.ts'

/** Returns the edition of a user. A sign-in does not change it; a new password does. */
export const userEdition = (account: Account): Edition => {
  const { username, email, role, scopeTags, disabled } = account
  const { mfaEnabled, secondFactorId, passkeySetId, sessionsValidFrom, tokenSeries } = account
  return editionOf([
    ...[username, email, role, scopeTags, disabled],
    ...[mfaEnabled, secondFactorId, passkeySetId ?? null, sessionsValidFrom, tokenSeries],
  ])
}
