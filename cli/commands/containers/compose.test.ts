import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientWorld, stackOf } from '../../../local/harness/client.ts'
import { givenContainer } from '../../../local/harness/world.ts'

async function furnished() {
  const world = await clientWorld()
  await world.login()
  await givenContainer(world, 'web', { env: ['TZ=UTC'], hostConfig: { AutoRemove: true } })
  await givenContainer(world, 'db', { env: ['DB_PASSWORD=hush'] })
  return world
}

test('0: prints a compose file, and what it cannot say on standard error', async () => {
  await using world = await furnished()
  const { code, out, err } = await world.cli('containers compose web')
  expect([code, out]).toEqual([0, expect.stringContaining('services:\n  web:\n')])
  expect(out).toContain('TZ: UTC')
  expect(err).toMatch(/^web: HostConfig.AutoRemove/)
})

test('0: writes both files, and prints no secret', async () => {
  await using world = await furnished()
  const file = join(world.home, 'compose.yaml')
  const printed = await world.cli('containers compose db')
  expect([printed.code, printed.err]).toEqual([0, expect.stringContaining('--to')])
  expect(printed.out + printed.err).not.toContain('hush')
  const written = await world.cli('containers compose db web -o compose.yaml')
  expect([written.code, written.out]).toEqual([0, 'written to compose.yaml\n'])
  expect(await readFile(file, 'utf8')).toContain('DB_PASSWORD: ${DB_PASSWORD}')
  expect(await readFile(join(world.home, '.env'), 'utf8')).toBe("DB_PASSWORD='hush'\n")
})

test('1: a .env that is there is not replaced, and nothing is written', async () => {
  await using world = await furnished()
  await writeFile(join(world.home, '.env'), 'A=1\n')
  const { code, err } = await world.cli('containers compose db -o compose.yaml')
  expect([code, err]).toEqual([1, expect.stringContaining('is not replaced')])
  expect(await readFile(join(world.home, '.env'), 'utf8')).toBe('A=1\n')
  await expect(readFile(join(world.home, 'compose.yaml'))).rejects.toThrow('ENOENT')
})

test('0: takes all containers that belong to no project', async () => {
  await using world = await furnished()
  await stackOf(world, 'shop', 'services: {web: {image: "busybox:latest", command: sleep 60}}')
  const { code, out } = await world.cli('containers compose --all-without-project')
  const services = [...out.matchAll(/^ {2}(\w[\w-]*):$/gm)].map(([, name]) => name)
  expect([code, services.sort()]).toEqual([0, ['db', 'web']])
})

test('0: prints the response as JSON', async () => {
  await using world = await furnished()
  const { out } = await world.cli('containers compose db --output json')
  expect(JSON.parse(out)).toMatchObject({ env: "DB_PASSWORD='hush'\n", warnings: [] })
})

test.each([
  ['containers compose', 2, 'name containers'],
  ['containers compose web --all-without-project', 2, 'name containers'],
  ['containers compose none', 1, 'none'],
])('%s: exits with %d', async (words, code, text) => {
  await using world = await furnished()
  expect(await world.cli(words)).toMatchObject({ code, err: expect.stringContaining(text) })
})
