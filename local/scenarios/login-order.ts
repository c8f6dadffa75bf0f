import type { StoreAddress } from '../../adapters/dynamo/client.ts'

/** What a process is to try. */
export interface LoginOrder {
  store: StoreAddress
  /** The key of secrets at rest, base64. */
  key: string
  username: string
  password: string
  /** A code of a second factor, where it is sent. */
  code?: string
  times: number
}

/** What came of it: the statuses, and how many passwords were compared with a hash. */
export interface LoginReport {
  statuses: number[]
  verified: number
}
