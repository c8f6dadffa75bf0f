import type { StoreAddress } from '../../adapters/dynamo/client.ts'

/** What a process is to try. */
export interface LoginOrder {
  store: StoreAddress
  username: string
  password: string
  times: number
}

/** What came of it: the statuses, and how many passwords were compared with a hash. */
export interface LoginReport {
  statuses: number[]
  verified: number
}
