import { expect, test } from 'vitest'
import { auditRow } from '../../../adapters/testing/contract/audit.ts'
import { memoryAnchor, memoryAuditBlocks } from '../../../adapters/testing/memory/audit.ts'
import { memoryClock } from '../../../adapters/testing/memory/clock.ts'
import { memoryLog } from '../../../adapters/testing/memory/log.ts'
import { memoryRandom } from '../../../adapters/testing/memory/random.ts'
import { present } from '../../../adapters/testing/present.ts'
import { readCheckpoint } from './checkpoint.ts'
import { openAudit } from './open.ts'

const keys = { current: 'k', keys: { k: new Uint8Array(32) } }

/** Returns a chain of this many rows, each in its own block. */
async function chainOf(rows: number) {
  const [blocks, anchor, clock] = [memoryAuditBlocks(), memoryAnchor(), memoryClock()]
  const ports = { clock, random: memoryRandom(clock), log: memoryLog() }
  const reopen = (known = anchor) => openAudit({ blocks, keys, anchor: known }, ports)
  const audit = reopen()
  for (let at = 1; at <= rows; at += 1) await audit.append({ ...auditRow(`r${at}`), at })
  const codeOf = async (seq: number) =>
    present((await audit.exportAfter(seq - 1, Infinity, 1))[0]).mac
  const trim = async (sequence: number) => audit.trim({ sequence, mac: await codeOf(sequence) })
  return { blocks, clock, audit, reopen, codeOf, trim }
}

test('removes rows up to a sequence number and verifies the chain from there', async () => {
  const { audit, trim, blocks, clock, reopen } = await chainOf(10)
  expect(await trim(6)).toEqual({ sequence: 6, removed: 6 })
  expect(blocks.texts.size).toBe(4)
  const checkpoint = { seq: 6, at: clock.now() }
  expect(await audit.verify()).toMatchObject({ ok: true, rows: 4, head: { seq: 10 }, checkpoint })
  await audit.append({ ...auditRow('r11'), at: 11 })
  await reopen().append({ ...auditRow('r12'), at: 12 })
  expect(await trim(8)).toEqual({ sequence: 8, removed: 2 })
  expect(await reopen().verify()).toMatchObject({ ok: true, rows: 4, head: { seq: 12 } })
})

test('a process that has written no row since before the removed ones continues the chain', async () => {
  const { audit, trim, reopen } = await chainOf(3)
  const idle = reopen()
  await idle.append({ ...auditRow('r4'), at: 4 })
  for (let at = 5; at <= 9; at += 1) await audit.append({ ...auditRow(`r${at}`), at })
  await trim(7)
  await idle.append({ ...auditRow('r10'), at: 10 })
  expect(await audit.verify()).toMatchObject({ ok: true, rows: 3, head: { seq: 10 } })
})

test('an idle process with its own anchor writes after removed rows, not in their place', async () => {
  const { audit, trim, reopen, blocks } = await chainOf(3)
  const idle = reopen(memoryAnchor())
  await idle.append({ ...auditRow('r4'), at: 4 })
  for (let at = 5; at <= 9; at += 1) await audit.append({ ...auditRow(`r${at}`), at })
  await trim(7)
  await idle.append({ ...auditRow('r10'), at: 10 })
  await audit.append({ ...auditRow('r11'), at: 11 })
  expect(await audit.verify()).toMatchObject({ ok: true, rows: 4, head: { seq: 11 } })
  const rows = await audit.exportAfter(0, Infinity, 99)
  expect(rows.map(({ seq, row }) => [seq, row.id])).toEqual(
    [8, 9, 10, 11].map((seq) => [seq, `r${seq}`]),
  )
  await trim(9)
  expect(blocks.texts.size).toBe(2)
})

test('two paused writers continue after removed rows, although one wrote in their place', async () => {
  const { audit, trim, reopen, blocks } = await chainOf(4)
  const writers = [reopen(memoryAnchor()), reopen(memoryAnchor())]
  const { put } = blocks
  let goOn = () => {}
  const paused = new Promise<void>((resolve) => {
    goOn = resolve
  })
  // Both have read the end of the chain, and write only after other rows were added and removed.
  blocks.put = async (block) => {
    await paused
    return put(block)
  }
  const written = writers.map((one, at) => one.append({ ...auditRow(`late${at}`), at: 7 }))
  await new Promise((resolve) => setImmediate(resolve))
  blocks.put = put
  for (let at = 5; at <= 6; at += 1) await audit.append({ ...auditRow(`r${at}`), at })
  await trim(5)
  goOn()
  await Promise.all(written)
  for (const each of [audit, ...writers]) {
    expect(await each.verify()).toMatchObject({ ok: true, rows: 3, head: { seq: 8 } })
  }
})

test('keeps the newest block', async () => {
  const { audit, trim } = await chainOf(3)
  expect(await trim(3)).toEqual({ sequence: 2, removed: 2 })
  expect(await trim(3)).toEqual({ sequence: 2, removed: 0 })
  expect(await audit.verify()).toMatchObject({ ok: true, rows: 1 })
})

test('repeating the request completes an interrupted trim', async () => {
  const { audit, codeOf, blocks } = await chainOf(9)
  const last = { sequence: 6, mac: await codeOf(6) }
  const { remove } = blocks
  blocks.remove = async () => {
    throw new Error('killed')
  }
  await expect(audit.trim(last)).rejects.toThrow('killed')
  expect(blocks.texts.size).toBe(9)
  blocks.remove = remove
  expect(await audit.verify()).toMatchObject({ ok: true })
  expect(await audit.trim(last)).toEqual({ sequence: 6, removed: 0 })
  expect(blocks.texts.size).toBe(3)
  expect(await audit.verify()).toMatchObject({ ok: true, rows: 3 })
})

test('409: the code does not match the row', async () => {
  const { audit, codeOf, blocks } = await chainOf(5)
  for (const last of [
    { sequence: 3, mac: await codeOf(2) },
    { sequence: 9, mac: await codeOf(5) },
    { sequence: 3, mac: '' },
  ]) {
    await expect(audit.trim(last)).rejects.toMatchObject({ status: 409 })
  }
  expect(blocks.texts.size).toBe(5)
})

test('409: an earlier row was changed or is missing', async () => {
  for (const spoil of [
    (texts: Map<string, string>, position: string) => texts.delete(position),
    (texts: Map<string, string>, position: string) =>
      texts.set(position, present(texts.get(position)).replace('deploy', 'delete')),
  ]) {
    const { trim, blocks } = await chainOf(5)
    spoil(blocks.texts, present([...blocks.texts.keys()][1]))
    const left = blocks.texts.size
    await expect(trim(4)).rejects.toMatchObject({ status: 409 })
    expect(blocks.texts.size).toBe(left)
  }
})

test('ignores a checkpoint that the service did not sign', async () => {
  const { audit, trim, blocks } = await chainOf(6)
  await trim(2)
  const signed = present(await blocks.readCheckpoint())
  const rows = await audit.exportAfter(0, Infinity, 9)
  const fifth = present(rows.find(({ seq }) => seq === 5))
  const forged = JSON.stringify({ ...JSON.parse(signed), seq: 5, mac: fifth.mac })
  expect(readCheckpoint(forged, keys)).toBeUndefined()
  for (const text of [forged, '', '{}', 'null', '[]']) {
    await blocks.writeCheckpoint(text, await blocks.readCheckpoint())
    expect(await audit.verify()).toMatchObject({ ok: false, problems: [{ kind: 'missing' }] })
    await expect(trim(4)).rejects.toMatchObject({ status: 409 })
  }
})

test('detects rows removed after the checkpoint, and a restored older checkpoint', async () => {
  const { audit, trim, blocks } = await chainOf(8)
  await trim(2)
  const older = await blocks.readCheckpoint()
  await trim(4)
  await blocks.writeCheckpoint(present(older), await blocks.readCheckpoint())
  expect((await audit.verify()).problems).toEqual([{ kind: 'missing', from: 3, to: 4, id: null }])
})

test('an interrupted removal hides nothing and is finished later', async () => {
  const { audit, trim, blocks } = await chainOf(9)
  const { remove } = blocks
  blocks.remove = async () => Promise.reject(new Error('away'))
  await expect(trim(5)).rejects.toThrow('away')
  blocks.remove = remove
  expect(await audit.verify()).toMatchObject({ ok: true, rows: 4 })
  await audit.finishTrim()
  expect(blocks.texts.size).toBe(4)
})

test('an export contains the signed rows, after a row and up to a time', async () => {
  const { audit } = await chainOf(7)
  const numbers = async (...given: [number, number, number]) =>
    (await audit.exportAfter(...given)).map(({ seq }) => seq)
  expect(await numbers(0, Infinity, 3)).toEqual([1, 2, 3])
  expect(await numbers(3, Infinity, 99)).toEqual([4, 5, 6, 7])
  expect(await numbers(2, 5, 99)).toEqual([3, 4])
  expect((await audit.exportAfter(1, Infinity, 1))[0]).toMatchObject({ key: 'k', row: { at: 2 } })
})

test('rows that are missing after a checkpoint keep their numbers', async () => {
  const { audit, trim, reopen, blocks } = await chainOf(4)
  const known = memoryAnchor()
  const idle = reopen(known)
  await idle.append({ ...auditRow('r5'), at: 5 })
  for (let at = 6; at <= 20; at += 1) await audit.append({ ...auditRow(`r${at}`), at })
  await trim(8)
  known.advance({ ...present((await audit.verify()).head), latest: 20 })
  for (const position of [...blocks.texts.keys()]) blocks.texts.delete(position)
  await idle.append({ ...auditRow('r21'), at: 21 })
  expect(await idle.verify()).toMatchObject({
    ok: false,
    head: { seq: 21 },
    problems: [{ kind: 'missing', from: 9, to: 20 }],
  })
})
