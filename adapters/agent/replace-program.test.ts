import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Duplex, Readable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { programReplacement, replaceableProgram } from './replace-program.ts'

const before = 'console.log("before")'

function installed() {
  const folder = mkdtempSync(join(tmpdir(), 'agent-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'agent.mjs')
  writeFileSync(path, before)
  const end = vi.fn()
  const reconnect = vi.fn()
  const program = programReplacement({ path, instance: 'one', say: () => {}, end, reconnect })
  return { folder, path, end, reconnect, program, content: () => readFileSync(path, 'utf8') }
}

const sent = (program: string, digest = createHash('sha256').update(program).digest('hex')) =>
  Duplex.from(Readable.from([Buffer.from(`${digest}\n${program}`)]))

/** Connects as the instance that it stands in for. Stays until it is ended. */
const good = `
if (process.env.AGENT_TRIAL === 'one') process.send('proven')
setInterval(() => {}, 1000)`

test('a version that connected takes over, and the one before is kept', async () => {
  const { folder, end, program, content } = installed()
  await program.take(sent(good))
  await program.idle()
  expect([content(), program.problem]).toEqual([good, undefined])
  expect(readFileSync(join(folder, 'agent.before.mjs'), 'utf8')).toBe(before)
  expect(end).toHaveBeenCalledOnce()
  expect(existsSync(join(folder, 'agent.new.mjs'))).toBe(false)
})

test('a version that ends before it connected is given up', async () => {
  const { folder, end, reconnect, program, content } = installed()
  await program.take(sent('process.exit(3)'))
  await program.idle()
  expect([content(), program.problem]).toEqual([before, 'it ended with code 3'])
  expect(end).not.toHaveBeenCalled()
  // So that the service asks what happened.
  expect(reconnect).toHaveBeenCalledOnce()
  expect(existsSync(join(folder, 'agent.new.mjs'))).toBe(false)
})

test('a version that arrives damaged, or while another one is tried, is refused', async () => {
  const { program, content } = installed()
  await expect(program.take(sent(good, 'abc'))).rejects.toThrow('arrived damaged')
  await program.take(sent('process.exit(3)'))
  await expect(program.take(sent(good))).rejects.toThrow('another version is being tried')
  await program.idle()
  expect(content()).toBe(before)
})

test('only a file that systemd starts again can be replaced', () => {
  const { path } = installed()
  const systemd = { INVOCATION_ID: 'x' }
  expect(replaceableProgram(path, systemd)).toBe(path)
  expect(replaceableProgram(path, {})).toBeUndefined()
  expect(replaceableProgram(path, { ...systemd, AGENT_TRIAL: 'one' })).toBeUndefined()
  expect(replaceableProgram('/usr/bin/container-stacks-agent', systemd)).toBeUndefined()
  expect(replaceableProgram('/none/agent.mjs', systemd)).toBeUndefined()
})
