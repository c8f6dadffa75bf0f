import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import {
  type ExpectedStack,
  expectedOf,
  expectedStatuses,
  type ImportRoute,
  leftOutReasons,
  refusals,
} from './expected.ts'
import { peerJson, peerPath, peerText } from './peer-fixtures.ts'

const routes: ImportRoute[] = ['dockge', 'portainer', 'komodo-toml', 'komodo-api']

const sizeAndDigest = (content: string | Uint8Array) => ({
  sha256: createHash('sha256').update(content).digest('hex'),
  bytes: Buffer.byteLength(content),
})

/** Returns files as a table from path to size and digest. */
const tableOf = ({ files }: ExpectedStack) =>
  Object.fromEntries(files.map(({ path, sha256, bytes }) => [path, { sha256, bytes }]))

test.each(routes)('%s: expects twenty stacks, in known words', (route) => {
  const all = expectedOf(route)
  expect(all.filter(({ refused }) => refused !== 'not-in-stacks-directory')).toHaveLength(20)
  for (const { status, leftOut, refused, name } of all) {
    expect(expectedStatuses).toContain(status)
    expect(leftOutReasons).toEqual(
      expect.arrayContaining([...new Set(leftOut.map(({ reason }) => reason))]),
    )
    if (refused !== null) expect(refusals).toContain(refused)
    expect(name === null).toBe(refused !== null)
  }
})

test.each(routes)('%s: imports no two stacks under one name', (route) => {
  const names = expectedOf(route).flatMap(({ name }) => name ?? [])
  expect(new Set(names).size).toBe(names.length)
})

test('dockge: the files are in the folders of the stacks', () => {
  for (const stack of expectedOf('dockge')) {
    for (const { path, sha256, bytes } of stack.files) {
      const content = readFileSync(peerPath('dockge', 'stacks', stack.peerName, path))
      expect(sizeAndDigest(content), `${stack.peerName}/${path}`).toEqual({ sha256, bytes })
    }
  }
})

test('dockge: the running projects are those that docker compose lists', () => {
  const listed = peerJson<{ Name: string; ConfigFiles: string }[]>('dockge', 'compose-ls.json')
  const rows = listed.map(({ Name, ConfigFiles }) => [
    Name,
    ConfigFiles.split(',').map((path) => basename(path)),
  ])
  const known = expectedOf('dockge').map(({ name, peerName, composeFiles }) => [
    name ?? peerName,
    composeFiles,
  ])
  for (const row of rows) expect(known).toContainEqual(row)
})

test('dockge: a stack may be a link to a folder elsewhere', () => {
  expect(statSync(peerPath('dockge', 'stacks', 'paperless')).isDirectory()).toBe(true)
})

test('portainer: the files are what the API shows', () => {
  for (const stack of expectedOf('portainer')) {
    const entries = stack.files.map(({ path }) => {
      const text = peerText('portainer', 'files', String(stack.peerId), path)
      return [path, sizeAndDigest(text)] as const
    })
    expect(tableOf(stack)).toEqual(Object.fromEntries(entries))
  }
})

test('komodo: the files are those in the stacks, with variables replaced', () => {
  const values = peerJson<{ name: string; value: string }[]>('komodo', 'variables.json')
  const replaced = (text: string) =>
    values.reduce((result, { name, value }) => result.replaceAll(`[[${name}]]`, value), text)
  const stacks = peerJson<
    {
      name: string
      config: { file_contents: string }
      info: { remote_contents: { path: string; contents: string }[] | null }
    }[]
  >('komodo', 'stacks.json')
  for (const stack of expectedOf('komodo-api').filter(({ refused }) => refused === null)) {
    const { config, info } = present(stacks.find(({ name }) => name === stack.peerName))
    const contents = info.remote_contents ?? [
      { path: 'compose.yaml', contents: replaced(config.file_contents) },
    ]
    for (const { path, sha256, bytes } of stack.files) {
      const one = present(contents.find((file) => file.path.endsWith(path)))
      expect(sizeAndDigest(one.contents), `${stack.peerName} ${path}`).toEqual({ sha256, bytes })
    }
    expect(stack.files).toHaveLength(contents.length)
  }
})
