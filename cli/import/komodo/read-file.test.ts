import { expect, test } from 'vitest'
import { peerText } from '../../../local/harness/peers/peer-fixtures.ts'
import { readKomodoFile } from './read-file.ts'

const read = (text: string) => readKomodoFile(text, 'resources.toml')

test('reads servers, repositories and variables, and names what is no stack', async () => {
  const resources = await read(peerText('komodo', 'resources.toml'))
  expect(resources.servers).toContainEqual({ name: 'nas', isUp: true })
  expect(resources.repos).toEqual([
    {
      name: 'homelab',
      git_provider: 'git.example',
      git_https: true,
      git_account: 'deploy',
      repo: 'home/homelab',
      branch: 'stable',
      commit: '',
    },
  ])
  expect(Object.fromEntries(resources.variables)).toEqual({
    SMTP_HOST: 'mail.home.example',
    ZONE: 'Europe/Berlin',
  })
  expect(resources.others).toEqual(['deployment redis-01'])
})

test('a masked value of a secret variable is not known', async () => {
  const { variables } = await read(
    '[[variable]]\nname = "A"\nvalue = "####"\nis_secret = true\n' +
      '[[variable]]\nname = "B"\nvalue = "####"\n',
  )
  expect(Object.fromEntries(variables)).toEqual({ A: null, B: '####' })
})

test('names fields of a stack that are on no public page', async () => {
  const { stacks } = await read(
    '[[stack]]\nname = "shop"\ncolour = "red"\n[stack.config]\nserver = "nas"\ngpu = true\n',
  )
  expect(stacks[0]?.leftOut).toEqual([
    { what: 'colour', reason: 'field-unknown' },
    { what: 'gpu', reason: 'field-unknown' },
  ])
})

test('leaves out a repository with an unknown form', async () => {
  const { repos } = await read('[[repo]]\nname = "a"\n[repo.config]\nbranch = 7\n')
  expect(repos).toEqual([])
})

test('says where a text is no TOML, without its lines', async () => {
  const secret = 'value = "hush"\n[[stack'
  const failure = await read(secret).catch((error) => error)
  expect(failure.message).toMatch(/^resources\.toml:\d+:\d+: Invalid TOML/)
  expect(failure.message).not.toContain('hush')
})

test.each(['[stack]\nname = "shop"\n', '[[stack]]\n', '[[stack]]\nname = 7\n'])(
  'a stack of another form is a failure: %j',
  async (text) => {
    await expect(read(text)).rejects.toThrow('each stack must be a [[stack]] with a name')
  },
)
