import { expect, test } from 'vitest'
import { newTable } from '../../local/harness/dynamo-table.ts'
import { account } from '../testing/contract/samples.ts'
import { memoryClock } from '../testing/memory/clock.ts'
import { storedAccounts } from './accounts.ts'

async function withGuardLeftBehind(id: string) {
  const clock = memoryClock()
  const table = await newTable()
  await table.put({ pk: 'username#ada', sk: 'guard', id, rev: 1, at: clock.now() })
  return { clock, table, accounts: storedAccounts(table, clock) }
}

test('frees a name without an account after half a minute, not earlier', async () => {
  const { clock, accounts } = await withGuardLeftBehind('gone')
  clock.advance(29_999)
  expect(await accounts.create(account('1', 'ada'))).toBe(false)
  expect(await accounts.findByUsername('ada')).toBeUndefined()
  clock.advance(1)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => accounts.create(account(`${index}`, 'ada'))),
  )
  expect(answers.filter(Boolean)).toHaveLength(1)
  expect(await accounts.findByUsername('ada')).toMatchObject({ id: `${answers.indexOf(true)}` })
})

test('frees a name that its account no longer uses after half a minute', async () => {
  const { clock, accounts } = await withGuardLeftBehind('1')
  await accounts.create(account('1', 'grace'))
  expect(await accounts.findByUsername('ada')).toBeUndefined()
  clock.advance(30_000)
  expect(await accounts.create(account('2', 'ada'))).toBe(true)
})
