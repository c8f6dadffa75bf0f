import { expect, test } from 'vitest'
import { clientWorld, stackOf } from '../../../local/harness/client.ts'
import { sourceFile } from '../../../local/harness/followed-source.ts'

const url = 'https://forge.example.org/ada/estate.git'
const [first, second, third] = ['1', '2', '3'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
]
const compose = (seconds: number) =>
  `services: {web: {image: "busybox:latest", command: sleep ${seconds}}}\n`

/** A deployed stack that follows a repository at the first commit. */
async function following(mode: string) {
  const world = await clientWorld()
  await world.login()
  const { refs, revisions } = world.ports.sourceReader
  const push = (commit: string, text: string) => {
    revisions.set(commit, { '': { id: commit, files: [sourceFile('compose.yaml', text)] } })
    refs.set(`${url} at HEAD`, commit)
  }
  push(first, compose(60))
  await stackOf(world, 'shop', compose(60))
  for (const words of [
    `sources create estate ${url}`,
    `stacks source set shop estate --on-change ${mode}`,
  ]) {
    const { code, err } = await world.cli(words)
    if (code !== 0) throw new Error(err)
  }
  const deployments = () => world.ports.deployments.listByStack('shop', 9)
  return { world, push, deployments }
}

test.each(['notify', 'plan', 'deploy'])(
  '0: with %s a commit is taken and deployed',
  async (mode) => {
    const { world, push, deployments } = await following(mode)
    await using _ = world
    push(second, compose(61))
    const { code, err } = await world.cli(
      `stacks deploy shop --commit ${second.slice(0, 8)} --wait`,
    )
    expect([err, code]).toEqual([expect.any(String), 0])
    const [stack] = await world.ports.stacks.list()
    expect(stack?.source?.synced?.revision).toBe(second)
    const [newest] = await deployments()
    expect(newest).toMatchObject({ status: 'succeeded', contentRevision: stack?.contentRevision })
    push(third, compose(62))
    expect((await world.cli(`stacks deploy shop --commit ${third}`)).code).toBe(0)
    const back = await world.cli(`stacks rollback shop --commit ${second.slice(0, 8)}`)
    expect([back.err, back.code]).toEqual([expect.any(String), 0])
    expect((await deployments())[0]?.options.rolledBackTo).toBe(newest?.id)
  },
)

test('the list of deployments has a commit as soon as one of them does', async () => {
  const { world, push } = await following('plan')
  await using _ = world
  const list = async () => (await world.cli('stacks deployments shop')).out.split('\n')
  expect((await list())[0]).not.toContain('COMMIT')
  push(second, compose(61))
  expect((await world.cli(`stacks deploy shop --commit ${second} --wait`)).code).toBe(0)
  const [head, newest, oldest] = await list()
  expect(head).toMatch(/ REVISION +COMMIT +STARTED /)
  expect(newest).toMatch(/^\S+ +deploy +succeeded +- +\d+ +2{12} +\d{4}-/)
  expect(oldest).toMatch(/^\S+ +deploy +succeeded +- +\d+ +- +\d{4}-/)
})

test('1: the source is at another commit, and nothing is deployed', async () => {
  const { world, push, deployments } = await following('plan')
  await using _ = world
  const before = (await deployments()).length
  push(second, compose(61))
  const { code, err } = await world.cli(`stacks deploy shop --commit ${first}`)
  expect([code, err]).toEqual([1, expect.stringContaining(second)])
  expect((await deployments()).length).toBe(before)
})

test('1: files that are refused', async () => {
  const { world, push } = await following('plan')
  await using _ = world
  push(second, 'services: 1\n')
  const { code, err } = await world.cli(`stacks deploy shop --commit ${second}`)
  expect([code, err]).toEqual([1, expect.stringContaining('services')])
})

test('1: a stack that follows no source', async () => {
  await using world = await clientWorld()
  await world.login()
  await stackOf(world, 'shop', compose(60))
  const { code, err } = await world.cli(`stacks deploy shop --commit ${first}`)
  expect([code, err]).toEqual([1, expect.stringContaining('cli stacks source set shop')])
})

test.each(['--commit main', `--commit ${first} --revision 2`, '--wait --detach'])(
  '2: %s',
  async (flags) => {
    await using world = await clientWorld()
    await world.login()
    expect((await world.cli(`stacks deploy shop ${flags}`)).code).toBe(2)
  },
)
