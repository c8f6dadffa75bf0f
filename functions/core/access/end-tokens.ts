import type { Needs } from '../ports/ports.ts'
import type { Account, ApiToken } from '../records/account.ts'

/**
 * Returns the account without its API tokens: as soon as it is written, no token that was made
 * before is accepted. No clock decides, and two such changes end what was made between them.
 */
export const withoutTokens = <A extends Account>(account: A): A => ({
  ...account,
  tokenSeries: seriesOf(account.tokenSeries) + 1,
})

/** Returns whether a change of the account ended the token. */
export const hasEnded = (token: ApiToken, account: Account): boolean =>
  seriesOf(token.series) < seriesOf(account.tokenSeries)

/** Removes the tokens that have ended. Only cleanup: they are not accepted any more. */
export async function removeEndedTokens(
  account: Account,
  { apiTokens }: Needs<'apiTokens'>,
): Promise<void> {
  for (const token of await apiTokens.list(account.id)) {
    if (hasEnded(token, account)) await apiTokens.remove(token.id)
  }
}

/** Records from before series were counted have none. */
const seriesOf = (series: number | undefined) => series ?? 0
