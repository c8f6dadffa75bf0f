import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { clientWorld } from '../../../local/harness/client.ts'

const compose = 'services: {web: {image: "busybox:latest", environment: {ZONE: "$TZ"}}}\n'

async function loggedIn() {
  const world = await clientWorld()
  onTestFinished(() => world[Symbol.asyncDispose]())
  await world.login()
  const valuesOf = async (name: string) => {
    const { variables } = present(await world.ports.variableSets.find(name))
    return Object.fromEntries(Object.entries(variables).map(([key, { value }]) => [key, value]))
  }
  return { world, valuesOf }
}

test('0: creates a set, lists it without values, changes and deletes it', async () => {
  const { world, valuesOf } = await loggedIn()
  const made = await world.cli('variables set home TZ=Europe/Oslo EMPTY= PASSWORD', {
    stdin: 'hunter2\n',
  })
  expect(made.out).toBe('home is created\n')
  expect(await valuesOf('home')).toEqual({ TZ: 'Europe/Oslo', EMPTY: '', PASSWORD: 'hunter2' })
  const { out } = await world.cli('variables list')
  expect(out.split('\n')[1]).toMatch(/^home +all +TZ, EMPTY, PASSWORD/)
  const shown = await world.cli('variable get home')
  expect(shown.out).toMatch(/^name +home/)
  expect(out + shown.out).not.toContain('hunter2')
  const changed = await world.cli('variables set home TZ=UTC --unset EMPTY --tag lab')
  expect(changed.out).toBe('home is updated\n')
  expect(await valuesOf('home')).toEqual({ TZ: 'UTC', PASSWORD: 'hunter2' })
  expect((await world.cli('variables set home --untagged')).code).toBe(0)
  expect(await world.ports.variableSets.find('home')).toMatchObject({ tags: [] })
  const gone = await world.cli('variables delete home --yes')
  expect(gone.out).toBe('the variables home are deleted\n')
})

test('0: takes the variables of a file, and names on the command line win', async () => {
  const { world, valuesOf } = await loggedIn()
  const file = join(world.home, 'global.env')
  await writeFile(file, '# all\nA=1\nB=\'$x\'\nC="two words"\n')
  expect((await world.cli(['variables', 'set', 'home', 'A=2', '--env-file', file])).code).toBe(0)
  expect(await valuesOf('home')).toEqual({ A: '2', B: '$x', C: 'two words' })
  await writeFile(file, 'A="1\n')
  const refused = await world.cli(['variables', 'set', 'home', '--env-file', file])
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('line 1')])
})

test('2: nothing to change, or flags that exclude each other', async () => {
  const { world } = await loggedIn()
  expect((await world.cli('variables set home --unset A')).code).toBe(2)
  await world.cli('variables set home A=1')
  expect((await world.cli('variables set home')).code).toBe(2)
  expect((await world.cli('variables set home --tag a --untagged')).code).toBe(2)
  expect((await world.cli('stacks variables shop --shared none --shared home')).code).toBe(2)
})

test('0: a stack takes a set, and says which variables it has from it', async () => {
  const { world } = await loggedIn()
  await world.cli('variables set home TZ=UTC')
  const made = await world.cli('stacks create shop --file - --shared home', { stdin: compose })
  expect(made.code).toBe(0)
  const { out } = await world.cli('stacks variables shop')
  expect(out.split('\n')[1]).toMatch(/^TZ +home/)
  const { err } = await world.cli('variables set home TZ=Europe/Oslo')
  expect(err).toContain('next: cli stacks deploy shop')
  expect((await world.cli('variables delete home --yes')).code).toBe(1)
  const left = await world.cli('stacks variables shop --shared none')
  expect(left.out).toBe('shop takes no shared variables\n')
  expect((await world.cli('stacks variables shop --shared home')).out).toBe('shop takes home\n')
})
