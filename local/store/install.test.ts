import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { install, installedStore } from './install.ts'

function temporaryDirectory() {
  const directory = mkdtempSync(join(tmpdir(), 'container-stacks-install-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

/** Returns an archive of one file with this name. */
function archiveOf(name: string): Buffer {
  const directory = temporaryDirectory()
  mkdirSync(join(directory, 'in'))
  writeFileSync(join(directory, 'in', name), 'program')
  execFileSync('tar', ['-czf', join(directory, 'a.tgz'), '-C', join(directory, 'in'), name])
  return readFileSync(join(directory, 'a.tgz'))
}

/** Serves the archive with this digest. Returns its URL. */
async function publish(
  archive: Buffer,
  digest = createHash('sha256').update(archive).digest('hex'),
) {
  const server = createServer((request, response) => {
    if (request.url === '/store.tar.gz') response.end(archive)
    else if (request.url === '/store.tar.gz.sha256') response.end(`${digest}  store.tar.gz\n`)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/store.tar.gz`
}

test('downloads the program, verifies its digest and unpacks it', async () => {
  const home = temporaryDirectory()
  await install(join(home, 'program'), await publish(archiveOf('DynamoDBLocal.jar')))
  expect(readFileSync(join(home, 'program', 'DynamoDBLocal.jar'), 'utf8')).toBe('program')
  expect(readdirSync(home)).toEqual(['program'])
})

test('an archive with another digest, or without the program, leaves nothing behind', async () => {
  const home = temporaryDirectory()
  const forged = await publish(archiveOf('DynamoDBLocal.jar'), '0'.repeat(64))
  await expect(install(join(home, 'program'), forged)).rejects.toThrow('published digest')
  const other = await publish(archiveOf('other.jar'))
  await expect(install(join(home, 'program'), other)).rejects.toThrow('no DynamoDBLocal.jar')
  const missing = `${await publish(archiveOf('x'))}.gone`
  await expect(install(join(home, 'program'), missing)).rejects.toThrow('404')
  expect(readdirSync(home)).toEqual([])
})

test('prefers the program of the development packages to a download', async () => {
  const home = temporaryDirectory()
  const found = await installedStore(join(home, 'program'), { url: 'http://127.0.0.1:1/' })
  expect(existsSync(join(found, 'DynamoDBLocal.jar'))).toBe(true)
})

test('prefers the configured program, and rejects a directory without it', async () => {
  const home = temporaryDirectory()
  const configured = join(home, 'unpacked')
  mkdirSync(configured)
  await expect(installedStore(home, { configured })).rejects.toThrow(
    `DynamoDB Local is not in ${configured}`,
  )
  writeFileSync(join(configured, 'DynamoDBLocal.jar'), 'program')
  expect(await installedStore(home, { configured })).toBe(configured)
})
