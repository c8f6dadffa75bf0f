import type { StoreAddress } from '../../adapters/dynamo/client.ts'

/** The login that a child process attempts. */
export interface LoginTask {
  store: StoreAddress
  /** The key of secrets at rest, in base64. */
  key: string
  username: string
  password: string
  /** A code of a second factor, if one is sent. */
  code?: string
  times: number
}

/** The results: the statuses, and how many passwords were compared with a hash. */
export interface LoginReport {
  statuses: number[]
  verified: number
}
