import { invalid } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { Caller } from '../records/account.ts'
import type { StackRecord } from '../records/stack.ts'
import { type Upload, uploadLifetime } from '../records/upload.ts'

/** Uploads of files that an account may have open. A further one replaces the oldest. */
const openMax = 4

/** A bundle of files that do not compress is a little larger than the files. */
const packedAllowance = 4 * 1024 * 1024

/**
 * Starts an upload of files of a stack. If the account has too many open ones, removes the oldest:
 * those that a client left behind must not fill the store, and must not keep it from trying again.
 *
 * @throws 400 if the bundle is too large
 */
export async function startChange(
  stack: StackRecord,
  { size, revision }: { size: number; revision?: number | undefined },
  caller: Caller,
  ports: Needs<'uploads' | 'settings' | 'clock' | 'random'>,
): Promise<Upload> {
  const { 'stack.max_bytes': bytesMax } = await ports.settings.get()
  const max = bytesMax + packedAllowance
  if (size > max) throw invalid(`body.size: must be at most ${max} bytes (stack.max_bytes)`)
  const upload: Upload = {
    id: ports.random.id(),
    purpose: 'change',
    stack: stack.id,
    hostId: stack.hostId,
    stackCreatedAt: stack.createdAt,
    size,
    accountId: caller.account.id,
    expiresAt: ports.clock.now() + uploadLifetime,
    done: false,
    ...(revision === undefined ? {} : { revision }),
  }
  await ports.uploads.save(upload)
  await removeOldest(caller.account.id, ports)
  return upload
}

async function removeOldest(accountId: string, { uploads }: Needs<'uploads'>): Promise<void> {
  const all = await uploads.listByAccount(accountId)
  const open = all.filter(({ purpose, done }) => purpose === 'change' && !done)
  // IDs sort by time.
  for (const upload of open.slice(0, -openMax)) await uploads.remove(upload)
}
