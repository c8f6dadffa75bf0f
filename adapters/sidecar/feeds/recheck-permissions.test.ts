import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { authenticate } from '../../../functions/kit/authenticate.ts'
import type { FeedEnd } from '../../../functions/kit/feed-end.ts'
import { present } from '../../../local/harness/present.ts'
import { signIn } from '../../../local/harness/sign-in.ts'
import { memoryLog } from '../../testing/memory/log.ts'
import { memoryPorts } from '../../testing/memory/stores.ts'
import { usualFeedLimits } from './limits.ts'
import { type OpenWork, recheckPermissions } from './recheck-permissions.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Milliseconds that a cached identity may be old. */
const cachedFor = 1000

test('a withdrawn permission ends a feed within five seconds, including what is cached', async () => {
  const ports = memoryPorts()
  const token = await signIn(ports, { username: 'ada', role: 'operator' })
  const caller = await authenticate(`Bearer ${token}`, ports)
  const ends: FeedEnd[] = []
  const feed: OpenWork = {
    caller,
    access: 'containers:read',
    hosts: new Set<string>(),
    failedChecks: 0,
    end: (end) => void ends.push(end),
  }
  const stop = recheckPermissions(new Set([feed]), usualFeedLimits.recheck, ports, memoryLog())
  await vi.advanceTimersByTimeAsync(10_000)
  expect(ends).toEqual([])
  const account = present(await ports.accounts.findByUsername('ada'))
  await ports.accounts.replace({ ...account, disabled: true })
  await vi.advanceTimersByTimeAsync(5000 - cachedFor)
  expect(ends[0]).toMatchObject({ code: 1008 })
  stop()
})
