import { readdirSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { expectWhole, type Following, startFollowing } from '../harness/git/following-stack.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { rowsOfRing } from '../harness/rings.ts'
import { logIn, startIn, until } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'
import { followEngine } from '../killed-updates/engine-events.ts'

const prefix = unique('killed-source')

afterAll(() => removeFromEngine(prefix))

/** A server of git that leaves a request without a response. */
function stoppingForge() {
  let left = 0
  let reached = () => {}
  return {
    /** Stops at the request that opens this exchange from now on. Resolves when it comes. */
    stopAt(exchange: number): Promise<void> {
      left = exchange
      return new Promise((resolve) => {
        reached = resolve
      })
    },
    instead({ method }: IncomingMessage): boolean {
      // Each run of git begins with one GET.
      if (left === 0 || method !== 'GET') return false
      left -= 1
      if (left > 0) return false
      reached()
      return true
    },
  }
}

/** When a process of the service is killed. */
type Moment =
  /** While it asks what the branch names. */
  | 'look'
  /** While it fetches the folders of the commit. */
  | 'folders'
  /** While it fetches the contents of its files. */
  | 'contents'
  /** When the files have just become the newest revision. */
  | 'take'
  /** When the first container of the deployment has been made. */
  | 'deploy'
  /** When the first container of the deployment has started. */
  | 'start'

const moments: Moment[] = ['look', 'folders', 'contents', 'take', 'deploy', 'start']

/** Returns how to wait for a moment of the next push. Each begins to wait at once. */
function momentsOf(
  { source }: Following,
  forge: ReturnType<typeof stoppingForge>,
  engine: ReturnType<typeof followEngine>,
): Record<Moment, (commit: string) => Promise<unknown>> {
  const container = (action: string) =>
    engine.wait((one) => one.kind === 'container' && one.action === action)
  return {
    look: () => forge.stopAt(1),
    folders: () => forge.stopAt(2),
    contents: () => forge.stopAt(3),
    take: (commit) => until(source, ({ synced }) => synced?.revision === commit),
    deploy: () => container('create'),
    start: () => container('start'),
  }
}

/** Kills the process of a service, and starts the next one. */
async function kill({ place, served }: Following): Promise<void> {
  served.running.child.kill('SIGKILL')
  await served.running.ended
  served.running = await startIn(place)
  // Right after its start, the service may be busy.
  const asked = () => logIn(place, served.running)
  served.token = await until(asked, (token) => token !== undefined)
}

const pairOf = (greeting: string) => {
  const one = 'image: "busybox:latest", command: sleep 3600, stop_grace_period: 0s'
  const more = `network_mode: none, environment: {GREETING: ${greeting}}`
  return `services:\n  a: {${one}, ${more}}\n  b: {${one}, ${more}, depends_on: [a]}\n`
}

test.each(rowsOfRing(moments, (moment) => moment === 'deploy'))(
  'a push is deployed whole by the next process after a kill at this moment: %s',
  async (moment) => {
    const forge = stoppingForge()
    const here = await startFollowing(`${prefix}-${moment}`, pairOf('one'), forge.instead)
    const engine = followEngine(here.stack)
    try {
      const commit = here.push(pairOf('two'))
      await Promise.all([momentsOf(here, forge, engine)[moment](commit), here.callHook()])
      await kill(here)
      const all = await here.untilDeployed(commit)
      for (const { status, error } of all) expect([status, error]).toEqual(['succeeded', null])
      expect([1, 2]).toContain(all.length)
      for (const service of ['a', 'b']) {
        expect(await here.variable(service, 'GREETING')).toBe('two')
      }
      await expectWhole(here, ['a', 'b'])
      const copies = join(present(here.place.env.SERVICE_DATA_DIR), 'git-copies')
      expect(readdirSync(copies)).toHaveLength(1)
    } finally {
      engine.stop()
    }
  },
)
