import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { type Helpers, helpers } from '../helper-containers/helper.ts'
import { engineClient } from '../transport/client.ts'
import { transportFrom } from '../transport/connect.ts'
import { fileMemory } from './file-memory.ts'
import { findHostPaths } from './find-paths.ts'

const client = engineClient(transportFrom(process.env), 'local')
let root: string
let stack: string
let opened: Helpers

beforeEach(async () => {
  root = await mkdtemp('/tmp/docker-paths-')
  stack = `${root}/stacks/web`
  await mkdir(`${stack}/conf/sites`, { recursive: true })
  await writeFile(`${stack}/key.txt`, 'x')
  await mkdir(`${root}/elsewhere`)
  await writeFile(`${root}/elsewhere/cert.pem`, 'x')
  opened = helpers(client, `${root}/stacks`)
})
afterEach(async () => {
  await opened.remove()
  await rm(root, { recursive: true, force: true })
})
afterAll(() => client.close())

const look = async (...paths: string[]) => {
  const host = { client, helpers: opened, memory: fileMemory() }
  return Object.fromEntries(await findHostPaths(host, stack, paths))
}

test('distinguishes files, directories and missing paths in the directory of a stack', async () => {
  const [file, directory] = [`${stack}/key.txt`, `${stack}/conf/sites`]
  const missing = [`${stack}/none`, `${stack}/none/below`, `${stack}/key.txt/below`]
  expect(await look(file, directory, stack, ...missing)).toEqual({
    [file]: 'file',
    [directory]: 'directory',
    [stack]: 'directory',
  })
})

test('finds nothing in a directory that does not exist, and does not create it', async () => {
  await rm(stack, { recursive: true })
  expect(await look(stack, `${stack}/key.txt`)).toEqual({})
  expect(await look(`${root}/stacks/web`, `${root}/stacks/web/key.txt`)).toEqual({})
})

test('a path that is a link or behind a link may exist', async () => {
  await symlink('/nowhere', `${stack}/away`)
  expect(await look(`${stack}/away`, `${stack}/away/deep/file`)).toEqual({
    [`${stack}/away`]: 'other',
    [`${stack}/away/deep/file`]: 'other',
  })
})

test('looks up paths outside of the directory, with links of the host', async () => {
  await symlink(`${root}/elsewhere`, `${root}/link`)
  const [file, linked, directory] = [
    `${root}/elsewhere/cert.pem`,
    `${root}/link/cert.pem`,
    `${root}/elsewhere`,
  ]
  const expected = { [file]: 'file', [linked]: 'file', [directory]: 'directory' }
  expect(await look(file, linked, directory)).toEqual(expected)
  expect(await look(file, linked, directory, `${root}/none`)).toEqual(expected)
})

test('a socket is neither a file nor a directory', async () => {
  const path = `${root}/elsewhere/socket`
  const server = createServer().listen(path)
  try {
    expect(await look(path)).toEqual({ [path]: 'other' })
  } finally {
    server.close()
  }
})
