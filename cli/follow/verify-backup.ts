import type { Client } from '../api/client.ts'
import type { Io } from '../io.ts'
import type { Printer } from '../output/print.ts'
import { withoutWaiting } from './deploy.ts'
import { followOperation } from './operation.ts'

/** Verifies the backup of a run and returns the verdict. Reading a large backup takes long. */
export async function verifyBackup(
  id: string,
  following: { client: Client; print: Printer; io: Io },
) {
  return followOperation(await startVerification(id, following.client), following)
}

/** Starts to verify the backup of a run, and returns the response: an operation. */
export const startVerification = (id: string, client: Client) =>
  client.post('/backup-runs/{id}/verify', { path: { id }, ...withoutWaiting })
