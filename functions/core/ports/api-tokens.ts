import type { ApiToken, RecordedRights } from '../records/account.ts'

export interface ApiTokens {
  find(id: string): Promise<ApiToken | undefined>
  /** Finds a token by its SHA-256 in hex. Every request with an API token does this read. */
  findByHash(hash: string): Promise<ApiToken | undefined>
  list(accountId?: string): Promise<ApiToken[]>
  create(token: ApiToken): Promise<void>
  /** Records the rights of a token that has none recorded. */
  recordRights(id: string, rights: RecordedRights): Promise<void>
  /** Records a use, at most once a minute and without delaying the request. */
  touch(id: string, usedAt: number): Promise<void>
  remove(id: string): Promise<boolean>
}
