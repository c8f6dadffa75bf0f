import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { askDocker } from '../../adapters/testing/docker.ts'
import { expectWhole, startFollowing } from '../harness/git/following-stack.ts'
import { gitCommands } from '../harness/git/git-commands.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { until } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'

const name = unique('many-pushes')

afterAll(() => removeFromEngine(name))

/** `web` starts as soon as `gate` has a file, which it has at once if it is open. */
const gatedOf = (gate: 'open' | 'closed', greeting: string) => `services:
  gate:
    image: busybox:latest
    command: sh -c 'if test $$GATE = open; then touch /open; fi; sleep 3600'
    stop_grace_period: 0s
    network_mode: none
    environment: {GATE: ${gate}}
    healthcheck: {test: ["CMD", "test", "-e", "/open"], interval: 500ms, retries: 10000}
  web:
    image: busybox:latest
    command: sleep 3600
    stop_grace_period: 0s
    network_mode: none
    environment: {GREETING: ${greeting}}
    depends_on: {gate: {condition: service_healthy}}
`

test('20 pushes in ten seconds, most of them while the first is deployed, are two deployments', async () => {
  const commands = gitCommands()
  const here = await startFollowing(name, gatedOf('open', 'none'), commands.instead)
  commands.seen.length = 0
  const began = performance.now()
  here.push(gatedOf('closed', 'n1'))
  await here.callHook()
  await until(
    () => here.variable('gate', 'GATE'),
    (gate) => gate === 'closed',
  )
  let newest = ''
  for (let count = 2; count <= 20; count += 1) {
    newest = here.push(gatedOf('closed', `n${count}`))
    await here.callHook()
    await pause(400)
  }
  await until(here.source, ({ synced }) => synced?.revision === newest)
  const looks = commands.seen.filter((command) => command === 'ls-refs').length
  expect(looks).toBeLessThanOrEqual(1 + Math.floor((performance.now() - began) / 5000))
  expect(await here.followed()).toMatchObject([{ status: 'running' }])

  await askDocker('exec', `${here.stack}-gate-1`, 'touch', '/open')
  const all = await here.untilDeployed(newest)
  for (const { status, error } of all) expect([status, error]).toEqual(['succeeded', null])
  expect(all).toHaveLength(2)
  expect(await here.variable('web', 'GREETING')).toBe('n20')
  await expectWhole(here, ['gate', 'web'])
})
