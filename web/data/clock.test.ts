import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const right = Date.UTC(2026, 2, 9, 1, 4, 30)
const hour = 3_600_000

beforeEach(() => void vi.resetModules())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each([2 * hour, -2 * hour, -72 * hour])(
  'a browser that is %d ms ahead shows when the service unlocks an account',
  async (ahead) => {
    vi.useFakeTimers({ now: right + ahead, toFake: ['Date'] })
    const headers = { date: new Date(right).toUTCString(), 'retry-after': '60' }
    vi.stubGlobal('fetch', async () => new Response('{}', { status: 423, headers }))
    const { browserTime, secondsBehind, serviceTime, timedFetch } = await import('./clock.ts')
    const { problemOf } = await import('./problem.ts')
    const { retryAt } = problemOf(await timedFetch('/api/v1/auth/browser/login'), {})
    expect(Math.abs((retryAt ?? 0) - right - 60_000)).toBeLessThanOrEqual(1000)
    expect(Math.abs(serviceTime() - right)).toBeLessThanOrEqual(1000)
    expect(browserTime()).toBe(right + ahead)
    expect(Math.abs(secondsBehind.value + ahead / 1000)).toBeLessThanOrEqual(1)
  },
)

test('a request that gets no response leaves the time as it is', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const { secondsBehind, timedFetch } = await import('./clock.ts')
  await expect(timedFetch('/api/v1/me')).rejects.toThrow('Failed to fetch')
  expect(secondsBehind.value).toBe(0)
})
