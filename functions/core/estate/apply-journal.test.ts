import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { present } from '../../../adapters/testing/present.ts'
import type { EstateApplyStep, EstateRecord } from '../records/estate.ts'
import { startJournal, stepsAsEnded } from './apply-journal.ts'

const step = (name: string): EstateApplyStep => ({
  section: 'roles',
  name,
  action: 'create',
  state: 'waiting',
  problems: [],
})

const begun = (): EstateRecord => ({
  id: 'home',
  things: [{ section: 'roles', name: 'old', createdAt: 1, at: 1, by: 'eve' }],
  last: {
    id: 'apply-1',
    accountId: 'account-1',
    by: 'ada',
    prune: true,
    startedAt: 1,
    finishedAt: null,
    steps: ['same', 'new', 'old', 'bad'].map(step),
  },
})

/** A journal that was begun, and what is stored of its estate. */
async function started() {
  const ports = memoryPorts()
  const journal = await startJournal(begun(), ports)
  const stored = async () => present(await ports.estates.find('home'))
  const states = async () => (await stored()).last.steps.map(({ state }) => state)
  return { ports, journal, stored, states }
}

test('writes each step that did something, with those before it', async () => {
  const { journal, stored, states } = await started()
  expect(await states()).toEqual(['waiting', 'waiting', 'waiting', 'waiting'])
  await journal.note(0, { state: 'unchanged', problems: [], createdAt: 5 })
  expect(await states()).toEqual(['waiting', 'waiting', 'waiting', 'waiting'])
  await journal.note(1, { state: 'done', problems: [], createdAt: 6 })
  expect(await states()).toEqual(['unchanged', 'done', 'waiting', 'waiting'])
  expect((await stored()).things.map(({ name, by }) => [name, by])).toEqual([
    ['old', 'eve'],
    ['same', 'ada'],
    ['new', 'ada'],
  ])
  await journal.note(2, { state: 'done', problems: [], isGone: true })
  expect((await stored()).things.map(({ name }) => name)).toEqual(['same', 'new'])
  await journal.note(3, { state: 'failed', problems: ['x'.repeat(1000), 'b', 'c', 'd'] })
  expect((await stored()).last.finishedAt).toBeNull()
  await journal.finish()
  const { last } = await stored()
  expect(last.finishedAt).toBeGreaterThan(0)
  expect(last.steps[3]?.problems.map(({ length }) => length)).toEqual([300, 1, 1])
})

test('a later apply replaces the steps, and an earlier one can write no more', async () => {
  const { ports, journal } = await started()
  const next = begun()
  await startJournal({ ...next, last: { ...next.last, id: 'apply-2' } }, ports)
  await expect(journal.note(0, { state: 'done', problems: [] })).rejects.toThrow('took over')
  expect((await ports.estates.find('home'))?.last.id).toBe('apply-2')
})

test('steps that a killed process left are skipped', () => {
  const steps = [{ ...step('one'), state: 'done' as const }, step('two')]
  expect(stepsAsEnded({ steps }).map(({ state }) => state)).toEqual(['done', 'skipped'])
})
