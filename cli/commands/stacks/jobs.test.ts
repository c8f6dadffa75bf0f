import { expect, test } from 'vitest'
import { clientWorld, stackOf } from '../../../local/harness/client.ts'

const compose = `services:
  web:
    image: busybox:latest
    command: [sleep, "9"]
  job:
    image: busybox:latest
    command: echo migrated
    profiles: [tools]
`

async function withShop() {
  const world = await clientWorld()
  await world.login()
  await stackOf(world, 'shop', compose)
  return world
}

const schedule = ['--schedule', '30 3 * * *', '--timezone', 'Europe/Berlin']

test('0: jobs create, list, update and delete', async () => {
  await using world = await withShop()
  const create = ['stacks', 'jobs', 'create', ...schedule, '--timeout', '5m', '--keep-runs', '3']
  const made = await world.cli([...create, 'shop', 'nightly', 'web', '--', 'npm', 'run', 'a'])
  expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^command +npm run a$/m)])
  expect(made.out).toMatch(/^schedule +30 3 \* \* \* Europe\/Berlin$/m)
  expect(made.out).toMatch(/^timeout +300 s$/m)
  const listed = await world.cli('stacks jobs shop')
  expect(listed.out).toMatch(/^nightly +web +30 3 \* \* \* Europe\/Berlin +2\S+ \d\d:30:00Z +ada/m)
  const off = await world.cli('stacks jobs update --disable --schedule none shop nightly')
  expect(off.out).toMatch(/^next run +not scheduled$/m)
  const words = ['stacks', 'jobs', 'update', 'shop', 'nightly', '--', 'echo', '--all']
  expect((await world.cli(words)).out).toMatch(/^command +echo --all$/m)
  const own = await world.cli('stacks jobs update --default-command --service job shop nightly')
  expect(own.out).toMatch(/^service +job\ncommand +that of the service$/m)
  expect((await world.cli('stacks jobs delete shop nightly')).code).toBe(2)
  expect((await world.cli('stacks jobs delete shop nightly --yes')).out).toContain('is deleted')
  expect((await world.cli('stacks jobs shop --output json')).out.trim()).toBe('[]')
})

test('0 and 1: jobs run prints the log; runs lists and shows runs', async () => {
  await using world = await withShop()
  await world.cli('stacks jobs create shop good job')
  expect(await world.cli('stacks jobs run shop good')).toMatchObject({ code: 0, out: 'migrated\n' })
  const bad = ['stacks', 'jobs', 'create', 'shop', 'bad', 'job', '--', 'sh', '-c', 'echo a; exit 3']
  await world.cli(bad)
  const { code, out, err } = await world.cli('stacks jobs run shop bad')
  expect([code, out]).toEqual([1, 'a\n'])
  expect(err).toContain('the job bad failed: it ended with code 3')
  expect((await world.cli('stacks jobs runs shop bad')).out).toMatch(/ failed +\S+ \S+ .* 3 +ada/)
  const shown = await world.cli('stacks jobs runs shop bad last')
  expect(shown.out).toMatch(/^exit code +3$/m)
  expect(shown.out).toMatch(/^a$/m)
  const started = await world.cli('stacks jobs run --detach shop good')
  expect(started.out).toMatch(/^started: cli stacks jobs runs shop good \S+\n$/)
  await world.ports.background.settled()
})

test('0: jobs update --take-over lets a job act as the caller', async () => {
  await using world = await withShop()
  await world.cli('stacks jobs create shop nightly job')
  const job = await world.ports.stackJobs.find('shop.nightly')
  if (!job) throw new Error('there is no job')
  const actsAs = { ...job.actsAs, accountId: 'gone', username: 'olga', blocked: 'olga was deleted' }
  await world.ports.stackJobs.replace({ ...job, actsAs })
  expect((await world.cli('stacks jobs shop')).out).toContain(' blocked ')
  const shown = await world.cli('stacks jobs shop nightly')
  expect(shown.out).toMatch(/^acts as +olga\nblocked +olga was deleted$/m)
  const taken = await world.cli('stacks jobs update --take-over shop nightly')
  expect(taken.out).toMatch(/^acts as +ada$/m)
  expect(taken.out).not.toContain('blocked')
})

test('2: wrong usage', async () => {
  await using world = await withShop()
  for (const words of [
    'create --keep-runs 31 shop a job',
    'create --timeout soon shop a job',
    'update shop a',
    'update --enable --disable shop a',
    'update --default-command shop a echo',
  ]) {
    expect((await world.cli(`stacks jobs ${words}`)).code).toBe(2)
  }
})

test('1: a job and a run that are not there', async () => {
  await using world = await withShop()
  expect(await world.cli('stacks jobs shop none')).toMatchObject({ code: 1, out: '' })
  await world.cli('stacks jobs create shop nightly job')
  const { code, err } = await world.cli('stacks jobs runs shop nightly last')
  expect([code, err]).toEqual([1, expect.stringContaining('nightly of shop: there is no run last')])
})
