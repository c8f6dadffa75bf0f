import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientWorld } from '../../local/harness/client.ts'
import { fillFolder } from '../../local/harness/folder.ts'

async function createOf(compose: string, more: Record<string, string> = {}) {
  await using world = await clientWorld()
  await world.login()
  const cwd = join(world.home, 'shop')
  await fillFolder(cwd, { 'compose.yaml': compose, ...more })
  const { code, err } = await world.cli('stacks create shop', { cwd })
  expect(code).toBe(1)
  return err
}

const web = (rest: string) => `services:\n  web:\n    image: nginx\n${rest}`
const noEnv = 'no .env is used'

test.each([
  ['a tab', web('\tports: []\n')],
  ['a mistyped attribute', web('    comand: x\n')],
  ['one beside a variable', web('    comand: x\n    user: "$WHO"\n')],
  ['a dollar sign that is no variable', web('    scale: "$$x"\n')],
  ['a cycle', 'services: {a: {image: a, depends_on: [b]}, b: {image: b, depends_on: [a]}}'],
])('1: says nothing of .env for %s', async (_, compose) => {
  expect(await createOf(compose)).not.toContain(noEnv)
})

test.each([
  ['a variable that must be set', web('    user: "${WHO:?}"\n')],
  ['a value that is empty without it', web('    ports:\n      - "${PORT}:x"\n')],
  ['one in a list below', web('    scale:\n      ${COUNT}\n')],
])('1: says that no .env is used for %s', async (_, compose) => {
  expect(await createOf(compose)).toContain(noEnv)
})

test('1: says how many more problems there are, and how to see them', async () => {
  const one = await createOf(web('    comand: x\n'))
  expect(one).toContain("additional properties 'comand' not allowed; did you mean command?")
  expect(one).not.toContain('more problem')
  const two = await createOf(web('    comand: x\n    scale: many\n'))
  expect(two).toContain('  and 1 more problem: see cli stacks validate\n')
  const files = { 'a.env': 'A=1\n', 'compose.prod.yaml': 'services: {web: {imagee: x}}\n' }
  const three = await createOf(web('    comand: x\n    scale: y\n    env_file: a.env\n'), files)
  expect(three).toContain('and 2 more problems: see cli stacks validate')
})
