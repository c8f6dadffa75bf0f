import { expect, test } from 'vitest'
import { localHost } from '../../../adapters/testing/memory/hosts.ts'
import { present } from '../../../adapters/testing/present.ts'
import { evaluate } from '../../../functions/core/alerts/evaluate.ts'
import { alertRule, containerSubject } from '../../../functions/core/alerts/rule-samples.ts'
import { clientWorld } from '../../../local/harness/client.ts'

/** Sets up a rule that fires for a container, and a muted rule. */
async function alerting() {
  const world = await clientWorld()
  await world.login()
  const { ports } = world
  const rule = alertRule({ match: { stacks: ['shop*'], hosts: ['local'] }, forSeconds: 60 })
  await ports.alertRules.create(rule)
  const mutedUntil = Date.now() + 3_600_000
  const muted = alertRule({ id: 'r2', name: 'gone', metric: 'host_down', mutedUntil })
  await ports.alertRules.create({ ...muted, operator: 'eq', threshold: 1, enabled: true })
  const seen = [{ subject: containerSubject('web'), value: 97.5 }]
  const at = { hostId: 'local', fence: 1, gap: false, newId: () => ports.random.id() }
  const now = ports.clock.now()
  const first = evaluate(rule, undefined, seen, { ...at, now: now - 60_000 })
  const state = present(evaluate(rule, first, seen, { ...at, now }))
  for (const { event } of state.outbox) await ports.alertEvents.add(event)
  await ports.alertStates.save({ ...state, revision: 0 })
  return world
}

const cells = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/))

test('0: shows firing alerts, past alerts and rules', async () => {
  await using world = await alerting()
  const [head, row] = cells((await world.cli('alerts list')).out)
  expect(head).toEqual(['SINCE', 'SEVERITY', 'RULE', 'SUBJECT', 'HOST', 'VALUE', 'STATE'])
  expect(row?.slice(1)).toEqual([
    'warning',
    'busy',
    'container/web',
    localHost.name,
    '97.5',
    'firing',
  ])
  const [, event] = cells((await world.cli('alert history')).out)
  expect(event?.slice(1)).toEqual([
    'firing',
    'warning',
    'busy',
    'container/web',
    localHost.name,
    '97.5',
    '-',
  ])
  const [, busy, gone] = cells((await world.cli('alerts rules')).out)
  expect(busy?.slice(1)).toEqual([
    ...['busy', 'cpu_percent > 80 for 60 s', 'stacks shop*; hosts local', 'warning'],
    'firing (1)',
  ])
  expect(gone?.slice(1, 5)).toEqual(['gone', 'host_down', 'all', 'warning'])
  expect(gone?.[5]).toMatch(/^quiet, muted until 2/)
  expect(JSON.parse((await world.cli('alerts list --state pending --output json')).out)).toEqual([])
})

test('0: shows one rule with its channels and what it fires for', async () => {
  await using world = await alerting()
  const { code, out } = await world.cli('alerts rules BUSY')
  expect(code).toBe(0)
  expect(out).toMatch(/^condition +cpu_percent > 80 for 60 s$/m)
  expect(out).toMatch(/^state +firing \(1\)$/m)
  expect(out).toMatch(/^SINCE +SUBJECT +HOST +VALUE\n.* container\/web +Cellar +97.5$/m)
})

test('2: an unknown state', async () => {
  await using world = await alerting()
  expect((await world.cli('alerts list --state none')).code).toBe(2)
})

test('0: the times of a rule are durations, and a number alone is in seconds', async () => {
  await using world = await alerting()
  const update = 'alerts rules update busy --output json'
  const { out } = await world.cli(`${update} --for 1m30s --cooldown 2h`)
  expect(JSON.parse(out)).toMatchObject({ for_seconds: 90, cooldown_seconds: 7200 })
  const plain = await world.cli(`${update} --for 120`)
  expect(JSON.parse(plain.out)).toMatchObject({ for_seconds: 120, cooldown_seconds: 7200 })
})

test('0: a rule for newer images needs no threshold, and shows it', async () => {
  await using world = await alerting()
  const { code } = await world.cli('alerts rules create newer --metric updates_available')
  expect(code).toBe(0)
  expect((await world.cli('alerts rules newer')).out).toMatch(/^condition +updates_available > 0$/m)
})
