import { expect, test } from 'vitest'
import { CallerDebts } from './caller-debts.ts'
import { FairQueue } from './queue.ts'

const question = (name: string, caller: string, size: number) => ({
  name,
  caller,
  size,
  reject() {},
})

function order(queue: FairQueue<ReturnType<typeof question>>): string[] {
  const names: string[] = []
  for (let one = queue.next(); one; one = queue.next()) names.push(one.name)
  return names
}

test('takes the smallest first, equal sizes in order of arrival', () => {
  const queue = new FairQueue<ReturnType<typeof question>>(10_000)
  queue.add(question('large', 'a', 500))
  queue.add(question('small', 'b', 5))
  queue.add(question('also small', 'a', 5))
  expect(order(queue)).toEqual(['small', 'also small', 'large'])
})

test('prefers callers that used less time, whatever the sizes', () => {
  const queue = new FairQueue<ReturnType<typeof question>>(10_000)
  for (let index = 0; index < 50; index += 1) queue.add(question(`hostile ${index}`, 'attacker', 5))
  expect(queue.next()?.name).toBe('hostile 0')
  queue.debts.add('attacker', 1500)
  queue.add(question('honest', 'other', 50_000))
  expect(queue.next()?.name).toBe('honest')
  expect(order(queue)).toHaveLength(49)
})

test('halves the used time every ten seconds', () => {
  const debts = new CallerDebts()
  debts.add('a', 2000, 0)
  expect(debts.levelOf('a', 0)).toBe(4)
  expect(debts.levelOf('a', 10_000)).toBe(2)
  expect(debts.levelOf('a', 60_000)).toBe(0)
  expect(debts.levelOf('b', 0)).toBe(0)
})

test.each([
  ['many small questions', 5],
  ['large ones', 1024 * 1024],
])('a caller that fills the queue with %s delays only itself', (_name, size) => {
  const queue = new FairQueue<ReturnType<typeof question>>(10_000)
  const rejected: string[] = []
  const ask = (name: string, caller: string, characters: number) =>
    queue.add({ ...question(name, caller, characters), reject: () => rejected.push(caller) })
  ask('own', '', 1000)
  for (let index = 0; index < 300; index += 1) ask(`hostile ${index}`, 'attacker', size)
  rejected.length = 0
  for (let index = 0; index < 20; index += 1) ask(`honest ${index}`, `other ${index}`, 100_000)
  expect(rejected.filter((caller) => caller !== 'attacker')).toEqual([])
  ask('one more', 'attacker', size)
  expect(rejected.at(-1)).toBe('attacker')
  const names = order(queue)
  expect(names).toHaveLength(new Set(names).size)
  expect(names).toEqual(expect.arrayContaining(['own', 'honest 0', 'honest 19', 'hostile 0']))
})
