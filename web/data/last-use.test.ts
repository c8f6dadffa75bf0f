import { expect, test } from 'vitest'
import { watchLastUse } from './last-use.ts'

type Listener = (event: { isTrusted: boolean }) => void

/** Tabs of a browser with simulated time. Tokens are good for 14 minutes. */
function browser() {
  const values = new Map<string, string>()
  const storage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  }
  let time = 1_000_000
  let waiting: { at: number; work: () => void }[] = []
  const newTab = () => {
    const listeners = new Map<string, Listener>()
    const page = {
      addEventListener: (type: string, listener: Listener) => void listeners.set(type, listener),
    }
    const refreshes: (number | undefined)[] = []
    const tab = {
      staleAt: (time + 840_000) as number | undefined,
      refreshes,
      happen: (type: string, isTrusted = true) => listeners.get(type)?.({ isTrusted }),
    }
    const use = watchLastUse({
      storage,
      page,
      now: () => time,
      later: (work, milliseconds) => void waiting.push({ at: time + milliseconds, work }),
      tokens: {
        goodFor: () => (tab.staleAt === undefined ? undefined : tab.staleAt - time),
        renew() {
          refreshes.push(use.idleSeconds())
          tab.staleAt = time + 840_000
        },
      },
    })
    return Object.assign(tab, { use })
  }
  const advance = (seconds: number) => {
    time += seconds * 1000
    const due = waiting.filter(({ at }) => at <= time)
    waiting = waiting.filter(({ at }) => at > time)
    for (const { work } of due) work()
  }
  return { newTab, advance }
}

test.each(['keydown', 'input', 'pointerdown', 'wheel', 'touchmove'])(
  'a page is used when there is a %s event',
  (type) => {
    const { newTab, advance } = browser()
    const tab = newTab()
    tab.happen(type)
    advance(42)
    expect(tab.use.idleSeconds()).toBe(42)
  },
)

test('what a script does is no use, and neither is scrolling: a log that is followed scrolls', () => {
  const { newTab } = browser()
  const tab = newTab()
  tab.happen('keydown', false)
  tab.happen('scroll')
  expect(tab.use.idleSeconds()).toBeUndefined()
})

test('a use of one tab is a use of all', () => {
  const { newTab, advance } = browser()
  const [one, other] = [newTab(), newTab()]
  one.happen('keydown')
  advance(600)
  other.happen('wheel')
  advance(5)
  expect([one.use.idleSeconds(), other.use.idleSeconds()]).toEqual([5, 5])
})

test('a page without requests reports its use when its token is to be replaced, and no more', () => {
  const { newTab, advance } = browser()
  const tab = newTab()
  advance(60)
  tab.happen('keydown')
  tab.happen('keydown')
  advance(700)
  expect(tab.refreshes).toEqual([])
  advance(80)
  expect(tab.refreshes).toEqual([780])
  advance(3600)
  expect(tab.refreshes).toEqual([780])
})

test('a use after the token was to be replaced is reported at once', () => {
  const { newTab, advance } = browser()
  const tab = newTab()
  advance(3000)
  tab.happen('pointerdown')
  advance(0)
  expect(tab.refreshes).toEqual([0])
})

test('a page without a session reports nothing', () => {
  const { newTab, advance } = browser()
  const tab = newTab()
  tab.staleAt = undefined
  tab.happen('keydown')
  advance(3600)
  expect(tab.refreshes).toEqual([])
})

test('a clock that was set back does not make the last use a time to come', () => {
  const { newTab, advance } = browser()
  const tab = newTab()
  tab.use.note()
  advance(-600)
  expect(tab.use.idleSeconds()).toBe(0)
  tab.happen('keydown')
  advance(30)
  expect(tab.use.idleSeconds()).toBe(30)
})

test('a stored time that is none counts as unknown', () => {
  const use = watchLastUse({
    storage: { getItem: () => 'soon', setItem: () => {} },
    page: { addEventListener: () => {} },
    now: () => 1_000_000,
    later: () => {},
    tokens: { goodFor: () => undefined, renew: () => {} },
  })
  expect(use.idleSeconds()).toBeUndefined()
})
