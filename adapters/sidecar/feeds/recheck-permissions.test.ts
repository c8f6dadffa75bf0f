import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forbidden, internalError } from '../../../functions/core/errors.ts'
import { authenticate } from '../../../functions/kit/authenticate.ts'
import type { FeedEnd } from '../../../functions/kit/feed-end.ts'
import { signIn } from '../../../local/harness/sign-in.ts'
import { memoryLog } from '../../testing/memory/log.ts'
import { memoryPorts } from '../../testing/memory/stores.ts'
import { present } from '../../testing/present.ts'
import { usualFeedLimits } from './limits.ts'
import { type OpenWork, recheckPermissions } from './recheck-permissions.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Milliseconds that a cached identity may be old. */
const cachedFor = 1000

test('a feed ends when it lacks what it needs besides its permission', async () => {
  const ports = memoryPorts()
  const token = await signIn(ports, { username: 'ada', role: 'operator' })
  const caller = await authenticate(`Bearer ${token}`, ports)
  const ended: [string, FeedEnd][] = []
  const feed = (name: string, needs?: OpenWork['needs']): OpenWork => ({
    caller,
    access: 'containers:read',
    hosts: new Set<string>(),
    needs,
    failedChecks: 0,
    end: (end) => void ended.push([name, end]),
  })
  let rounds = 0
  const open = new Set([
    feed('plain'),
    feed('refused', async ({ account }) => {
      throw forbidden(account.username)
    }),
    feed('unsure', async () => {
      rounds += 1
      throw internalError('the host does not respond')
    }),
  ])
  const every = usualFeedLimits.recheck
  const stop = recheckPermissions(open, every, ports, memoryLog())
  await vi.advanceTimersByTimeAsync(every)
  expect([ended.map(([name, { code }]) => [name, code]), rounds]).toEqual([[['refused', 1008]], 1])
  await vi.advanceTimersByTimeAsync(every)
  expect(ended.at(-1)).toMatchObject(['unsure', { code: 1011, reason: 'internal' }])
  expect(ended.map(([name]) => name)).not.toContain('plain')
  stop()
})

test('a withdrawn permission ends a feed within five seconds, including what is cached', async () => {
  const ports = memoryPorts()
  const token = await signIn(ports, { username: 'ada', role: 'operator' })
  const caller = await authenticate(`Bearer ${token}`, ports)
  const ended: FeedEnd[] = []
  const feed: OpenWork = {
    caller,
    access: 'containers:read',
    hosts: new Set<string>(),
    failedChecks: 0,
    end: (end) => void ended.push(end),
  }
  const stop = recheckPermissions(new Set([feed]), usualFeedLimits.recheck, ports, memoryLog())
  await vi.advanceTimersByTimeAsync(10_000)
  expect(ended).toEqual([])
  const account = present(await ports.accounts.findByUsername('ada'))
  await ports.accounts.replace({ ...account, disabled: true })
  await vi.advanceTimersByTimeAsync(5000 - cachedFor)
  expect(ended[0]).toMatchObject({ code: 1008 })
  stop()
})
