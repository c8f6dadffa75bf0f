import { chownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { localEngine } from '../../../local/harness/engine.ts'
import { dockerEngine } from '../../docker/engine.ts'
import { memoryLog } from '../../testing/memory/log.ts'
import { checkEngine } from './check-engine.ts'

const folder = mkdtempSync('/tmp/check-engine-')
const engine = localEngine()
afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

/** Returns what is logged about a directory of stacks. */
async function check(stacksDirectory: string, on = engine, socket?: string) {
  const log = memoryLog()
  const engines = { on: async () => on }
  await checkEngine({ id: 'local', stacksDirectory }, socket, { engines, log })
  return log.lines
}

test('logs nothing if the Engine can write there, creates the directory and leaves no file', async () => {
  const stacks = join(folder, 'stacks')
  expect(await check(stacks)).toEqual([])
  expect(await check(stacks)).toEqual([])
  expect(readdirSync(stacks)).toEqual([])
})

test('names a directory that the Engine cannot write to, though this process sees it', async () => {
  const [line, ...others] = await check('/proc/self')
  expect(others).toEqual([])
  expect(line).toMatchObject({
    level: 'warn',
    fields: { directory: '/proc/self', hint: expect.stringContaining('SERVICE_STACKS_DIR') },
  })
})

test('says that no Engine responds', async () => {
  const transport = { socketPath: join(folder, 'no.sock') }
  const none = dockerEngine({ transport, host: 'local', stacksDirectory: '/tmp' })
  const [line] = await check(folder, none, transport.socketPath)
  expect(line?.message).toContain('does not respond')
  expect(line?.fields.hint).toContain('DOCKER_HOST')
  await none.close()
})

test('names the group of the socket, or a policy if the process is in that group', async () => {
  const socket = join(folder, 'refusing.sock')
  writeFileSync(socket, '')
  chownSync(socket, 0, 4242)
  const refused = Object.assign(new Error('connect EACCES'), { code: 'EACCES' })
  const refusing = { ...engine, apiVersion: () => Promise.reject(refused) }
  const [outside] = await check(folder, refusing, socket)
  expect(outside?.fields.hint).toContain('set DOCKER_GID=4242')
  // As group_add of a compose file does.
  const groups = vi.spyOn(process, 'getgroups').mockReturnValue([0, 4242])
  onTestFinished(() => groups.mockRestore())
  const [inside] = await check(folder, refusing, socket)
  expect(inside?.fields.hint).toContain('label=disable')
})

test('processes that check at the same time do not interfere, nor does a file that one left', async () => {
  const stacks = join(folder, 'shared')
  await check(stacks)
  writeFileSync(join(stacks, '.container-stacks-check'), 'left')
  const lines = await Promise.all([check(stacks), check(stacks), check(stacks)])
  expect(lines.flat()).toEqual([])
  expect(readdirSync(stacks)).toEqual([])
})
