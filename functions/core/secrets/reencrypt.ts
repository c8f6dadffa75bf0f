import { serviceRow } from '../audit/row.ts'
import { leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import type { Needs } from '../ports/ports.ts'

type ReencryptPorts = Needs<
  'secrets' | 'leases' | 'clock' | 'background' | 'audit' | 'random' | 'log'
>

/**
 * The age in milliseconds that a key must have before older values are re-encrypted with it. By
 * then every process uses the key, and has finished writes with the older one.
 */
const keyAge = 5000

/**
 * Re-encrypts values under older keys with the newest key, unless all are done or another process
 * is doing so. If a process dies, the next one continues.
 */
export async function reencryptSecrets(ports: ReencryptPorts): Promise<void> {
  const { secrets, leases, clock, background } = ports
  const [key] = await secrets.keys()
  if (!key || (await secrets.onlyKey()) === key.id) return
  if (key.createdAt !== null && key.createdAt + keyAge > clock.now()) return
  const holder = `${background.processId}/reencrypt`
  const lease = await leases.acquire('reencrypt secrets', holder, leaseTime)
  if (!lease) return
  await withLeaseRenewal(lease, new AbortController().signal, ports, async ({ signal }) => {
    const changed = await secrets.reencrypt(signal)
    if (signal.aborted) return
    await secrets.recordOnlyKey(key.id)
    if (changed > 0) await record(key.id, changed, ports)
  })
}

function record(key: string, changed: number, { audit, random, clock }: ReencryptPorts) {
  return audit.append(
    serviceRow({
      id: random.id(),
      at: clock.now(),
      action: 'secret-keys.reencrypt',
      outcome: 'succeeded',
      subject: { kind: 'secret-keys', id: key },
      values: { changed },
    }),
  )
}
