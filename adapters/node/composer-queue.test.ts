import { expect, test } from 'vitest'
import { CallerDebts } from './caller-debts.ts'
import { FairQueue } from './composer-queue.ts'

const question = (name: string, caller: string, size: number) => ({
  ...{ name, caller, size },
  reject() {},
})

function order(queue: FairQueue<ReturnType<typeof question>>): string[] {
  const names: string[] = []
  for (let one = queue.next(); one; one = queue.next()) names.push(one.name)
  return names
}

test('the smallest goes first, equals in the order in which they came', () => {
  const queue = new FairQueue<ReturnType<typeof question>>(10_000)
  queue.add(question('large', 'a', 500))
  queue.add(question('small', 'b', 5))
  queue.add(question('also small', 'a', 5))
  expect(order(queue)).toEqual(['small', 'also small', 'large'])
})

test('a caller that used much time waits for one that did not, whatever the sizes', () => {
  const queue = new FairQueue<ReturnType<typeof question>>(10_000)
  for (let index = 0; index < 50; index += 1) queue.add(question(`hostile ${index}`, 'attacker', 5))
  expect(queue.next()?.name).toBe('hostile 0')
  queue.debts.add('attacker', 1500)
  queue.add(question('honest', 'other', 50_000))
  expect(queue.next()?.name).toBe('honest')
  expect(order(queue)).toHaveLength(49)
})

test('time that was used is forgotten by half each ten seconds', () => {
  const debts = new CallerDebts()
  debts.add('a', 2000, 0)
  expect(debts.levelOf('a', 0)).toBe(4)
  expect(debts.levelOf('a', 10_000)).toBe(2)
  expect(debts.levelOf('a', 60_000)).toBe(0)
  expect(debts.levelOf('b', 0)).toBe(0)
})
