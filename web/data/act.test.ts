import { expect, test } from 'vitest'
import { act, setNotifier } from './act.ts'
import { RequestError } from './problem.ts'

test('a double click does the work once', async () => {
  let runs = 0
  const deploy = act(
    async () => {
      runs += 1
      await new Promise((resolve) => setImmediate(resolve))
      return runs
    },
    { failed: 'no' },
  )
  const [one, two] = await Promise.all([deploy.run(), deploy.run()])
  expect([runs, one, two]).toEqual([1, 1, 1])
  await deploy.run()
  expect(runs).toBe(2)
})

test('two rows at once are two actions', async () => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const revoke = act(
    async (id: string) => {
      begun.push(id)
      await new Promise<void>((resolve) => ends.push(resolve))
    },
    { failed: 'no' },
  )
  const both = [revoke.run('one'), revoke.run('two'), revoke.run('one')]
  expect(begun).toEqual(['one', 'two'])
  ends[0]?.()
  await both[0]
  expect(revoke.pending.value).toBe(true)
  ends[1]?.()
  await Promise.all(both)
  expect(revoke.pending.value).toBe(false)
})

test('shows how it ended, and a failure with its cause until the next try', async () => {
  const lines: string[] = []
  setNotifier({
    ended: (line) => lines.push(line),
    failed: (line, { error }) => lines.push(`${line}: ${error}`),
  })
  let fails = true
  const deploy = act(
    async () => {
      if (fails) throw new Error('the port is taken')
      return 4.2
    },
    { ended: (seconds) => `Deployed in ${seconds} s`, failed: 'shop could not be deployed' },
  )
  expect(await deploy.run()).toBeUndefined()
  expect(deploy.problem.value?.error).toBe('the port is taken')
  expect(deploy.pending.value).toBe(false)
  fails = false
  await deploy.run()
  expect([deploy.problem.value, deploy.result.value]).toEqual([undefined, 4.2])
  expect(lines).toEqual(['shop could not be deployed: the port is taken', 'Deployed in 4.2 s'])
})

test('offers to do it again where the condition passes, with the same values', async () => {
  const offered: ((() => void) | undefined)[] = []
  setNotifier({ ended: () => {}, failed: (_line, _problem, retry) => offered.push(retry) })
  const asked: string[] = []
  let reason = 'host-offline'
  const stop = act(
    async (name: string) => {
      asked.push(name)
      throw new RequestError({ status: 500, error: 'no', reason })
    },
    { failed: 'no' },
  )
  await stop.run('shop')
  reason = 'host-revoked'
  offered[0]?.()
  await expect.poll(() => offered.length).toBe(2)
  expect(asked).toEqual(['shop', 'shop'])
  expect(offered[1]).toBeUndefined()
})
