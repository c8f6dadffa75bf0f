import { expect, test } from 'vitest'
import { type RestartEvidence, settlingTime } from './settling-time.ts'

const start = Date.parse('2026-11-23T10:00:00Z')

/** Returns an instant, with seconds since the first start of a container. */
const instant = (seconds: number) => new Date(start + seconds * 1000).toISOString()

/** How a container fails again and again, and how its host is sampled. Seconds. */
interface Loop {
  createdAt: string
  /** How long each run lasts. */
  run: number
  /** How long the Engine needs to start it. */
  slowness: number
  interval: number
  /** The time of the first sample. */
  phase: number
}

/** One look at a container. */
interface Look {
  evidence: RestartEvidence
  now: number
}

/**
 * Yields looks at every moment of a crash loop. The Engine waits twice as long after each run of
 * less than 10 s, for a minute at most.
 */
function* looksAt({ createdAt, run, slowness, interval, phase }: Loop): Generator<Look> {
  const seen = { count: 0, times: [] as number[] }
  let sampleAt = phase
  const sampleUntil = (at: number, restarts: number) => {
    for (; sampleAt <= at; sampleAt += interval) {
      const more = Array<number>(restarts - seen.count).fill(start + sampleAt * 1000)
      seen.times.push(...more)
      seen.count = restarts
    }
  }
  let [startedAt, pause, finishedAt] = [0, 0, null as string | null]
  for (let restarts = 0; restarts < 12; restarts += 1) {
    for (let part = 0; part < 20; part += 1) {
      const at = startedAt + (run * part) / 20
      sampleUntil(at, restarts)
      const upSeconds = Math.floor(at - startedAt)
      const details = { restarts, startedAt: instant(startedAt), finishedAt }
      const evidence = { createdAt, upSeconds, run: details, seen, isSeenRestarted: false }
      yield { evidence, now: start + at * 1000 }
    }
    const end = startedAt + run
    sampleUntil(end, restarts)
    finishedAt = instant(end)
    pause = run >= 10 || pause === 0 ? 0.1 : Math.min(2 * pause, 60)
    startedAt = end + pause + slowness
    sampleUntil(startedAt, restarts + 1)
  }
}

/** Returns how many looks found the loop, and fails if one from `since` restarts on did not. */
function checkLooks(loop: Loop, since: number): number {
  let found = 0
  for (const { evidence, now } of looksAt(loop)) {
    if ((evidence.run?.restarts ?? 0) < since) continue
    const settling = settlingTime(evidence, now)
    if ((evidence.upSeconds ?? 0) >= settling) expect({ loop, evidence, now }).toBe('restarting')
    found += 1
  }
  return found
}

const runs = [0.1, 2, 9, 10, 11, 14, 15, 25, 29.8, 31, 44, 59, 61, 90, 119, 180, 290]
const phases = [0.05, 0.2, 0.4, 0.6, 0.8, 1]
const loops = (createdAt: string, interval: number): Loop[] =>
  runs.flatMap((run) =>
    [0, 0.5, 5].flatMap((slowness) =>
      phases.map((part) => ({ createdAt, run, slowness, interval, phase: part * interval })),
    ),
  )

test('a crash loop of a new container is one at every moment, from its first restart on', () => {
  for (const interval of [5, 15, 60, 300]) {
    for (const loop of loops(instant(-1), interval)) expect(checkLooks(loop, 1)).toBe(220)
  }
})

test.each([
  [1, 2],
  [15, 3],
  [60, 7],
])(
  'samples every %i s show a crash loop of an old container after restart %i',
  (interval, since) => {
    for (const loop of loops('2026-01-01T00:00:00Z', interval)) {
      expect(checkLooks(loop, since)).toBeGreaterThan(0)
    }
  },
)

/** Returns the settling time of a container that was created long ago and started a moment ago. */
const settling = (more: Partial<RestartEvidence> = {}) =>
  settlingTime(
    {
      createdAt: '2026-01-01T00:00:00Z',
      upSeconds: 1,
      run: { restarts: 5, startedAt: instant(-1), finishedAt: instant(-2) },
      seen: undefined,
      isSeenRestarted: false,
      ...more,
    },
    start,
  )

const ago = (...seconds: number[]) => seconds.map((one) => start - one * 1000)
const once = { restarts: 1, startedAt: instant(-1), finishedAt: instant(-2) }
const never = { ...once, restarts: 0 }

test('one restart after hours needs 10 s', () => {
  expect(settling({ run: once })).toBe(10)
  expect(settling({ run: once, seen: { count: 1, times: ago(1) } })).toBe(10)
  expect(settling({ seen: { count: 5, times: ago(9_000, 6_000, 3_000) } })).toBe(10)
})

test('a start by a user settles at once, whatever happened before', () => {
  expect(settling({ run: never })).toBe(0)
  expect(settling({ run: never, seen: { count: 5, times: ago(60, 40, 20) } })).toBe(0)
  expect(settling({ run: never, isSeenRestarted: true })).toBe(0)
})

test('a container that could not be inspected is judged by samples and events', () => {
  expect(settling({ run: null })).toBe(0)
  expect(settling({ run: null, isSeenRestarted: true })).toBe(10)
  expect(settling({ run: null, seen: { count: 3, times: ago(61, 31, 1) } })).toBe(60)
  expect(settling({ run: null, seen: { count: 0, times: ago(61, 31, 1) } })).toBe(0)
})

test('a loop of short runs settles after 10 s, however long the Engine waits between them', () => {
  const run = { restarts: 12, startedAt: instant(-1), finishedAt: instant(-61) }
  expect(settling({ run, seen: { count: 12, times: ago(182, 121.5, 61) } })).toBe(10)
})

test('restarts between two samples share the time from one to the other', () => {
  const times = ago(61, ...Array<number>(12).fill(1))
  expect(settling({ run: null, seen: { count: 13, times } })).toBe(10)
  expect(settling({ run: null, seen: { count: 13, times: times.slice(0, 3) } })).toBe(60)
})

test('only the last three runs count', () => {
  const times = ago(400, 200, 180, 160, 140)
  expect(settling({ run: null, seen: { count: 5, times } })).toBe(40)
})

test('the clock of the host is not compared with that of the service', () => {
  const times = ago(51, 26, 1)
  for (const skew of [-86_400, 0, 86_400]) {
    const own = (seconds: number) => instant(skew + seconds)
    const run = { restarts: 3, startedAt: own(-1), finishedAt: own(-1.1) }
    const evidence = { createdAt: own(-1_000_000), run, seen: { count: 3, times } }
    expect(settling(evidence)).toBeCloseTo(49.8)
  }
})
