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
import { startTrouble } from '../start/start-trouble.ts'
import { freePort } from './free-port.ts'
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
  await expect(install(join(home, 'program'), other)).rejects.toThrow(
    'does not contain DynamoDBLocal.jar',
  )
  const missing = `${await publish(archiveOf('x'))}.gone`
  await expect(install(join(home, 'program'), missing)).rejects.toThrow('404')
  expect(readdirSync(home)).toEqual([])
})

test('prefers the program of the development packages to a download', async () => {
  const home = temporaryDirectory()
  const found = await installedStore(join(home, 'program'), { url: 'http://127.0.0.1:1/' })
  expect(existsSync(join(found, 'DynamoDBLocal.jar'))).toBe(true)
})

test('says in one line what to do if it can be neither found nor downloaded', async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/store.tar.gz`
  const sources = { packaged: () => undefined, url }
  const error = await installedStore(join(temporaryDirectory(), 'program'), sources).catch(
    (one) => one,
  )
  expect(startTrouble(error)).toBe(
    `DynamoDB Local could not be installed: fetch failed (connect ECONNREFUSED 127.0.0.1:${port}). Unpack it and name its directory with SERVICE_DYNAMODB_LOCAL_DIR, or name another store with SERVICE_DYNAMODB_ENDPOINT.`,
  )
})

test('prefers the configured program, and rejects a directory without it', async () => {
  const home = temporaryDirectory()
  const configured = join(home, 'unpacked')
  mkdirSync(configured)
  const error = await installedStore(home, { configured }).catch((one) => one)
  expect(startTrouble(error)).toBe(
    `DynamoDB Local is not in ${configured}. Unpack it and name its directory with SERVICE_DYNAMODB_LOCAL_DIR, or name another store with SERVICE_DYNAMODB_ENDPOINT.`,
  )
  writeFileSync(join(configured, 'DynamoDBLocal.jar'), 'program')
  expect(await installedStore(home, { configured })).toBe(configured)
})
