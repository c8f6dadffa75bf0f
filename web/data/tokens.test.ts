import { expect, test } from 'vitest'
import { type TabLock, tabLock } from './tab-lock.ts'
import { makeTokens, type Refreshed, type TabMessage, type Tabs } from './tokens.ts'

function emptyStorage() {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  }
}

/** A browser with simulated time: what sleeps wakes in order as the time advances. */
function browser({ hasLocks = true, delay = 1 } = {}) {
  let time = 1_000_000
  const waiting: { at: number; wake: () => void }[] = []
  const sleep = (milliseconds: number) =>
    new Promise<void>((wake) => waiting.push({ at: time + milliseconds, wake }))
  const storage = emptyStorage()
  let tail: Promise<unknown> = Promise.resolve()
  const locks = {
    request: (_: string, work: () => Promise<unknown>) => {
      const done = tail.then(work)
      tail = done.catch(() => {})
      return done
    },
  }
  const tabs: ((message: TabMessage) => void)[] = []
  const refreshes: string[] = []
  let next: () => Promise<Refreshed> = async () => {
    await sleep(80)
    return { outcome: 'token', value: `t${refreshes.length}`, expiresIn: 900 }
  }
  const newTab = (id: string, ownStorage = emptyStorage()) => {
    let own: ((message: TabMessage) => void) | undefined
    const channel: Tabs = {
      send: (message) =>
        void sleep(delay).then(() => {
          for (const tab of tabs) if (tab !== own) tab(message)
        }),
      listen: (listener) => {
        own = listener
        tabs.push(listener)
      },
    }
    const lock: TabLock = tabLock({
      storage,
      sleep,
      now: () => time,
      tab: id,
      locks: hasLocks ? (locks as never) : undefined,
    })
    const refresh = () => {
      refreshes.push(id)
      return next()
    }
    return makeTokens({
      storage,
      ownStorage,
      tabs: channel,
      lock,
      sleep,
      refresh,
      now: () => time,
    })
  }
  /** Advances the time until everything that was begun has ended. */
  const settle = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false
    const ended = work.finally(() => {
      isOver = true
    })
    ended.catch(() => {})
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve))
      if (isOver) break
      waiting.sort((a, b) => a.at - b.at)
      const first = waiting.shift()
      if (!first) throw new Error('nothing wakes it')
      time = Math.max(time, first.at)
      first.wake()
    }
    return ended
  }
  return {
    newTab,
    time: () => time,
    settle,
    sleep,
    storage,
    refreshes,
    answer: (given: () => Promise<Refreshed>) => {
      next = given
    },
    advance: (milliseconds: number) => {
      time += milliseconds
    },
  }
}

test.each([true, false])(
  'five tabs that start at once refresh once; Web Locks: %s',
  async (hasLocks) => {
    const world = browser({ hasLocks })
    const tabs = ['a', 'b', 'c', 'd', 'e'].map((id) => world.newTab(id))
    const outcomes = await world.settle(Promise.all(tabs.map((tab) => tab.renew())))
    expect(outcomes).toEqual(['token', 'token', 'token', 'token', 'token'])
    expect(world.refreshes).toHaveLength(1)
    expect(new Set(tabs.map((tab) => tab.current()))).toEqual(new Set(['t1']))
  },
)

test('the lock may arrive before the message of the tab that held it', async () => {
  const world = browser({ delay: 300 })
  const tabs = ['a', 'b', 'c'].map((id) => world.newTab(id))
  await world.settle(Promise.all(tabs.map((tab) => tab.renew())))
  expect(world.refreshes).toHaveLength(1)
})

test('a tab that is opened a moment after the refresh asks for the token', async () => {
  const world = browser()
  await world.settle(world.newTab('a').renew())
  await world.settle(world.sleep(100))
  const late = world.newTab('b')
  await world.settle(late.renew())
  expect([late.current(), world.refreshes]).toEqual(['t1', ['a']])
})

test('a page that is reloaded a moment after its refresh waits for no other tab', async () => {
  const world = browser({ delay: 60_000 })
  const ownStorage = emptyStorage()
  await world.settle(world.newTab('a', ownStorage).renew())
  const before = world.time()
  const again = world.newTab('a', ownStorage)
  await world.settle(again.renew())
  expect([again.current(), world.time() - before]).toEqual(['t2', 80])
})

test('a token that was rejected is not taken from another tab either', async () => {
  const world = browser()
  const [a, b] = [world.newTab('a'), world.newTab('b')]
  await world.settle(a.renew())
  await world.settle(b.renew())
  await world.settle(b.renew('t1'))
  expect([b.current(), world.refreshes.length]).toEqual(['t2', 2])
})

test('a refusal that arrives after a login in another tab does not end that session', async () => {
  const world = browser()
  const [a, b] = [world.newTab('a'), world.newTab('b')]
  world.answer(async () => {
    await world.sleep(100)
    return { outcome: 'ended' }
  })
  const refused = b.renew()
  a.begin('mine', 900)
  expect(await world.settle(refused)).toBe('token')
  expect(b.current()).toBe('mine')
})

test('a message that never arrives delays by half a second, then the tab refreshes', async () => {
  const world = browser({ delay: 60_000 })
  const [a, b] = [world.newTab('a'), world.newTab('b')]
  await world.settle(a.renew())
  await world.settle(b.renew())
  expect(world.refreshes).toEqual(['a', 'b'])
})

test('many requests of one tab share a refresh', async () => {
  const world = browser()
  const tab = world.newTab('a')
  await world.settle(Promise.all(Array.from({ length: 20 }, () => tab.renew())))
  expect(world.refreshes).toEqual(['a'])
})

test('a token that a request was refused with is replaced, and not again by the next request', async () => {
  const world = browser()
  const tab = world.newTab('a')
  await world.settle(tab.renew())
  const refused = tab.current()
  world.advance(60_000)
  await world.settle(tab.renew(refused))
  expect(tab.current()).toBe('t2')
  await world.settle(tab.renew(refused))
  expect(world.refreshes).toHaveLength(2)
})

test('a token is replaced a minute before it expires', async () => {
  const world = browser()
  const tab = world.newTab('a')
  await world.settle(tab.renew())
  world.advance(839_000)
  expect(tab.current()).toBe('t1')
  world.advance(1000)
  expect(tab.current()).toBeUndefined()
})

test('a token that lasts less than two minutes is replaced after half of its time', async () => {
  const world = browser()
  const tab = world.newTab('a')
  tab.begin('short', 60)
  world.advance(29_000)
  expect([tab.current(), tab.goodFor()]).toEqual(['short', 1000])
  world.advance(1000)
  expect([tab.current(), tab.goodFor()]).toEqual([undefined, 0])
})

test('a tab that is closed or suspended with the lock holds the others up for 10 s', async () => {
  const world = browser({ hasLocks: false })
  world.storage.setItem('lock.session', `gone ${1_000_000 + 10_000}`)
  const tab = world.newTab('a')
  await world.settle(tab.renew())
  expect(tab.current()).toBe('t1')
})

test('a lease of a clock that was ahead is ignored', async () => {
  const world = browser({ hasLocks: false })
  world.storage.setItem('lock.session', `gone ${1_000_000 + 3_600_000}`)
  const tab = world.newTab('a')
  expect(await world.settle(tab.renew())).toBe('token')
})

test('the end of the session ends it in every tab, and a failed request does not', async () => {
  const world = browser()
  const [a, b] = [world.newTab('a'), world.newTab('b')]
  await world.settle(a.renew())
  await world.settle(world.sleep(10))
  expect(b.current()).toBe('t1')
  world.advance(900_000)
  world.answer(async () => ({ outcome: 'failed', error: new Error('no line') }))
  expect(await world.settle(a.renew())).toBe('failed')
  const told: string[] = []
  b.listen(({ kind }) => told.push(kind))
  a.end()
  await world.settle(world.sleep(10))
  expect(told).toEqual(['ended'])
  expect(b.current()).toBeUndefined()
})

test('a login in one tab is one in all', async () => {
  const world = browser()
  const [a, b] = [world.newTab('a'), world.newTab('b')]
  a.begin('mine', 900)
  await world.settle(world.sleep(10))
  expect(b.current()).toBe('mine')
})
