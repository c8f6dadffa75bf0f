import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { clientWorld } from '../../../local/harness/client.ts'
import { sourceFile } from '../../../local/harness/followed-source.ts'

const url = 'oci://registry.example.org/team/shop'

test('0: makes, lists, looks at, changes and deletes a source', async () => {
  await using world = await clientWorld()
  await world.login()
  const { refs } = world.ports.sourceReader
  refs.set(`${url} at latest`, 'sha256:a')
  const words = `sources create shop ${url} --every 600 --user puller`
  const made = await world.cli(words, { stdin: 'a token\n' })
  expect([made.code, made.out]).toEqual([0, expect.stringContaining('600 s')])
  expect(present(await world.ports.sources.find('shop'))).toMatchObject({
    ref: 'latest',
    account: { username: 'puller', password: 'a token' },
  })
  expect((await world.cli('sources look shop')).out).toContain('sha256:a')
  const listed = await world.cli('sources list')
  expect(listed.out.split('\n')[1]).toMatch(/^shop +oci:\S+ +latest +600 s +\d{4}-/)
  const changed = await world.cli('sources update shop --ref 2 --every off')
  expect([changed.code, changed.out]).toEqual([0, expect.stringMatching(/looks every +off/)])
  const failed = await world.cli('sources look shop')
  expect(failed.out).toContain('no-such-ref')
  expect((await world.cli('sources get shop')).out).toBe(failed.out)
  const all = [made, listed, changed, failed].map(({ out, err }) => out + err).join()
  expect(all).not.toContain('a token')
  const gone = await world.cli('sources delete shop --yes')
  expect(gone.out).toBe('the source shop is deleted\n')
})

test('0: a source of git over ssh prints its key, and takes the key of the server', async () => {
  await using world = await clientWorld()
  await world.login()
  const made = await world.cli('sources create estate git@forge.example.org:ada/estate.git')
  expect(made.code).toBe(0)
  expect(made.out).toMatch(/public key +ssh-ed25519 made1 estate\n/)
  expect(made.err).toContain('cli sources update estate --host-key')
  const hostKey = `SHA256:${'a'.repeat(43)}`
  const pinned = await world.cli(`sources update estate --host-key ${hostKey} --new-key`)
  expect(pinned.out).toMatch(/public key +ssh-ed25519 made2 estate\n/)
  expect(present(await world.ports.sources.find('estate'))).toMatchObject({ hostKey, ref: 'HEAD' })
})

test('0: a source of git over https is read with an account and an authority', async () => {
  await using world = await clientWorld()
  await world.login()
  const authority = present(rootCertificates[0])
  writeFileSync(join(world.home, 'ca.pem'), authority)
  const words = 'sources create estate https://forge.example.org/a.git --ref main --user ada'
  const made = await world.cli(`${words} --ca ca.pem`, { stdin: 'a token\n' })
  expect([made.code, made.out]).toEqual([0, expect.not.stringContaining('public key')])
  expect(present(await world.ports.sources.find('estate'))).toMatchObject({
    account: { username: 'ada', password: 'a token' },
    certificateAuthority: authority,
  })
  const missing = await world.cli('sources update estate --ca none.pem')
  expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('"none.pem"')])
})

test('0: a source shows its recipient of age, and takes another identity', async () => {
  await using world = await clientWorld()
  await world.login()
  const recipientIn = (out: string) => /age recipient +(age1\w{58})\n/.exec(out)?.[1]
  const made = await world.cli(`sources create shop ${url}`)
  const first = present(recipientIn(made.out))
  const own = await world.ports.sourceKeys.makeAge()
  writeFileSync(join(world.home, 'age.txt'), `# my key\n${own.identity}\n`)
  const given = await world.cli('sources update shop --age-identity age.txt')
  expect([given.code, recipientIn(given.out)]).toEqual([0, own.recipient])
  const again = await world.cli('sources update shop --new-age-identity')
  expect([first, own.recipient, undefined]).not.toContain(recipientIn(again.out))
  const got = await world.cli('sources get shop')
  expect(recipientIn(got.out)).toBe(recipientIn(again.out))
  const both = await world.cli('sources update shop --new-age-identity --age-identity age.txt')
  expect([both.code, both.err]).toEqual([2, expect.stringContaining('not both')])
  writeFileSync(join(world.home, 'age.txt'), 'none')
  const wrong = await world.cli('sources update shop --age-identity age.txt')
  expect(wrong.err).toContain('--age-identity')
  const all = [made, given, again, got, both, wrong].map(({ out, err }) => out + err).join()
  expect(all).not.toMatch(/AGE-SECRET-KEY-1\w/)
})

test('0: scans a source for its folders, their stacks and what is gone', async () => {
  await using world = await clientWorld()
  await world.login()
  const { refs, revisions } = world.ports.sourceReader
  const files = [sourceFile('compose.yaml', 'services: {a: {image: "busybox:latest"}}\n')]
  const folders = ['apps/mail', 'apps/shop', 'old/blog'].map((path) => [path, { id: path, files }])
  refs.set(`${url} at latest`, 'sha256:a')
  revisions.set('sha256:a', Object.fromEntries(folders))
  const file = join(world.home, 'compose.yaml')
  writeFileSync(file, 'services: {a: {image: "busybox:latest"}}\n')
  for (const words of [
    `sources create estate ${url}`,
    `stacks create shop --file ${file}`,
    `stacks create blog --file ${file}`,
    'stacks source set shop estate --path apps/shop',
    'stacks source set blog estate --path old/blog',
  ]) {
    const { code, err } = await world.cli(words)
    expect([words, code, err]).toEqual([words, 0, expect.any(String)])
  }
  refs.set(`${url} at latest`, 'sha256:b')
  revisions.set('sha256:b', Object.fromEntries(folders.slice(0, 2)))
  const scanned = await world.cli('sources scan estate')
  expect([scanned.code, scanned.out.split('\n').map((line) => line.split(/ +/))]).toEqual([
    0,
    [
      ['FOLDER', 'STACK', 'STATE'],
      ['apps/mail', 'mail', 'new'],
      ['apps/shop', 'shop', 'followed'],
      ['old/blog', 'blog', 'gone'],
      [''],
    ],
  ])
  expect(scanned.err).toBe('read: sha256:b\n')
  const asJson = await world.cli('sources scan estate --output json')
  expect(JSON.parse(asJson.out)).toMatchObject({
    revision: 'sha256:b',
    folders: [{ stack: 'mail' }, { followed_by: ['shop'] }],
    is_truncated: false,
    gone: [{ stack: 'blog', path: 'old/blog' }],
  })
  revisions.set('sha256:b', { '': { id: 'top', files } })
  expect((await world.cli('sources scan estate')).out).toMatch(/^\. +estate +new$/m)
})

test('1: a source that cannot be scanned says why', async () => {
  await using world = await clientWorld()
  await world.login()
  await world.cli(`sources create estate ${url}`)
  const failed = await world.cli('sources scan estate')
  expect([failed.code, failed.err]).toEqual([1, expect.stringContaining('no such reference')])
})

test('2: nothing to change, and a period that is no number', async () => {
  await using world = await clientWorld()
  await world.login()
  expect((await world.cli('sources update shop')).code).toBe(2)
  expect((await world.cli(`sources create shop ${url} --every often`)).err).toContain('--every')
})

test('errors speak of flags', async () => {
  await using world = await clientWorld()
  await world.login()
  const short = await world.cli(`sources create shop ${url} --every 5`)
  expect([short.code, short.err]).toEqual([expect.any(Number), expect.stringContaining('--every')])
})
